package gateway.http;

import javax.security.auth.x500.X500Principal;

/// The certificate that a client has shown and proved to hold the key of, signed by an authority that the listener
/// trusts, in force and not revoked.
///
/// @param sha256 of the whole certificate, 64 hexadecimal digits in lower case
public record ClientCertificate(String sha256, X500Principal subject) {}
