package gateway.key;

import gateway.http.Secret;

/// A key just made or rotated, with the secret that is shown this once.
public record IssuedKey(StoredKey stored, Secret secret) {}
