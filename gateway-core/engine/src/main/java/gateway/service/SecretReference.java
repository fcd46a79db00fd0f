package gateway.service;

import java.util.Locale;

/// What a definition holds in the place of a secret: `{"secret": "name"}`, `{"env": "GATEWAY_SECRET_…"}`,
/// `{"file": "name"}`, or, of one that was written there itself, its envelope: `{"sealed": "…"}`.
///
/// @param name of a stored secret, a variable of the process's environment, or a file of the secrets folder; or the
///     envelope
/// @param document that an envelope was sealed for, such as `apis/orders`; empty for the others
public record SecretReference(Origin origin, String name, String document) {
    /// Where a secret is kept.
    public enum Origin {
        SECRET,
        ENV,
        FILE,
        SEALED
    }

    /// To a secret outside of definitions.
    public SecretReference(Origin origin, String name) {
        this(origin, name, "");
    }

    /// As the definition writes it, but for an envelope.
    @Override
    public String toString() {
        if (origin == Origin.SEALED) return "the secret that is written here";
        return "{\"" + origin.name().toLowerCase(Locale.ROOT) + "\": \"" + name + "\"}";
    }
}
