package gateway.policies.cryptography;

import gateway.service.Refresher;
import gateway.service.Served;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// An issuer's keys as a server tells them, fetched again for tokens that name another.
final class FetchedKeys implements KeySource, Served {
    /// Of equal origin and times they are shared by all policies.
    record Id(KeyOrigin.Server origin, Duration timeout) {}

    private final Fetched<KeySet> fetched;

    private FetchedKeys(Fetched<KeySet> fetched) {
        this.fetched = fetched;
    }

    static FetchedKeys create(Id id, KeyFetch fetch, Refresher refresher, InstantSource clock) {
        return new FetchedKeys(Fetched.create(id.origin(), "keys", id.timeout(), fetch::keys, refresher, clock));
    }

    @Override
    public KeySet current() {
        return fetched.current();
    }

    @Override
    public Optional<KeySet> newer(KeySet seen) {
        return fetched.newer(seen);
    }

    @Override
    public void served() {
        fetched.served();
    }

    @Override
    public void retired() {
        fetched.retired();
    }
}
