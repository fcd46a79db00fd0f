package gateway.service;

import java.util.Locale;

/// What a definition writes in the place of a secret: `{"secret": "name"}`, `{"env": "GATEWAY_SECRET_…"}` or
/// `{"file": "name"}`.
///
/// @param name of a stored secret, a variable of the process's environment, or a file of the secrets folder
public record SecretReference(Origin origin, String name) {
    /// Where a secret is kept.
    public enum Origin {
        SECRET,
        ENV,
        FILE
    }

    /// As the definition writes it.
    @Override
    public String toString() {
        return "{\"" + origin.name().toLowerCase(Locale.ROOT) + "\": \"" + name + "\"}";
    }
}
