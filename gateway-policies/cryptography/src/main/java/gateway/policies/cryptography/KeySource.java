package gateway.policies.cryptography;

import java.util.Optional;

/// Where an issuer's keys come from.
public sealed interface KeySource permits LocalKeys, FetchedKeys {
    /// Keys that stay.
    static KeySource of(KeySet keys) {
        return new LocalKeys(keys);
    }

    /// Those at hand; waits for them when there are none yet.
    ///
    /// @throws gateway.service.DependencyException when none can be had
    KeySet current();

    /// For a token that names a key which `seen` is without: a set that came since, or is fetched for it, which all
    /// who need one wait for. Empty where there is no newer one, and none may be fetched so short a while after the
    /// last.
    ///
    /// @param seen the set that the token was judged by
    /// @throws gateway.service.DependencyException when it cannot be found out
    Optional<KeySet> newer(KeySet seen);
}
