package gateway.policies.cryptography;

import gateway.http.FailureReason;
import gateway.service.DependencyException;
import gateway.service.Refresher;
import gateway.service.Served;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// An issuer's keys as a server tells them, fetched again for tokens that name another.
final class FetchedKeys implements KeySource, Served {
    /// Of equal origin and times they are shared by all policies.
    record Id(KeyOrigin.Server origin, Duration timeout) {}

    private final String server;
    private final Fetched<KeySet> fetched;

    private FetchedKeys(String server, Fetched<KeySet> fetched) {
        this.server = server;
        this.fetched = fetched;
    }

    static FetchedKeys create(Id id, KeyFetch fetch, Refresher refresher, InstantSource clock) {
        return new FetchedKeys(
                id.origin().name(), Fetched.create(id.origin(), "keys", id.timeout(), fetch::keys, refresher, clock));
    }

    @Override
    public KeySet current() {
        KeySet set = fetched.current();
        return set.keys().isEmpty() ? newer(set).orElseThrow(this::unusable) : set;
    }

    @Override
    public Optional<KeySet> newer(KeySet seen) {
        Optional<KeySet> newer = fetched.newer(seen);
        if (newer.isPresent() && newer.get().keys().isEmpty()) throw unusable();
        return newer;
    }

    /// Without any key nobody can be judged: that is not the caller's fault.
    private DependencyException unusable() {
        return new DependencyException(server, FailureReason.MALFORMED.word(), "none of its keys can be used", null);
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
