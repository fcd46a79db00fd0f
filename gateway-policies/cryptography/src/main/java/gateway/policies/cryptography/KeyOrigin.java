package gateway.policies.cryptography;

import gateway.service.CallTarget;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import java.net.URI;
import java.time.Duration;

/// What a definition says of where an issuer's keys come from.
public sealed interface KeyOrigin {
    /// A server that tells them.
    ///
    /// @param url of the key set, or the issuer whose metadata names that
    /// @param discovered whether `url` is the issuer
    /// @param plaintext whether a server may be asked in the clear
    /// @param target of `url`
    /// @param refresh after which they are fetched again
    /// @param stale how old they may be while none can be had
    /// @param refetch least time between two fetches
    record Server(
            URI url,
            boolean discovered,
            boolean plaintext,
            CallTarget target,
            Duration refresh,
            Duration stale,
            Duration refetch)
            implements KeyOrigin {
        public String name() {
            return target.name();
        }
    }

    /// A key set in the definition.
    ///
    /// @param jwks its JSON
    record Inline(String jwks) implements KeyOrigin {}

    /// A public key or certificate in the definition.
    record Pem(String text) implements KeyOrigin {}

    /// A key set that is stored as a resource.
    record StoredSet(ResourceReference resource) implements KeyOrigin {}

    /// A public key or certificate that is stored as a resource.
    record StoredPem(ResourceReference resource) implements KeyOrigin {}

    /// A secret that the issuer has too.
    record Shared(SecretReference secret) implements KeyOrigin {}
}
