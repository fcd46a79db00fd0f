package gateway.policies.identity;

import gateway.service.DependencyException;
import gateway.service.Refreshed;
import gateway.service.Refreshed.Renewal;
import gateway.service.Refresher;
import gateway.service.Served;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// An issuer's keys as a server tells them: fetched when they are first served, again before they are old, and for
/// tokens that name another. While the server is away those at hand go on, for a while.
final class FetchedKeys implements KeySource, Served {
    /// Late by so much a call ends at the latest.
    private static final Duration GRACE = Duration.ofMillis(500);

    /// Of equal origin and times they are shared by all policies.
    record Id(KeyOrigin.Server origin, Duration timeout) {}

    /// @param at when they came, in milliseconds of the clock
    private record Aged(KeySet keys, long at) {}

    private final String server;
    private final Refreshed<Aged> fetched;
    private final Duration patience;
    private final long stale;
    private final InstantSource clock;

    private FetchedKeys(Id id, Refreshed<Aged> fetched, InstantSource clock) {
        this.server = id.origin().name();
        this.fetched = fetched;
        this.patience = id.timeout().plus(GRACE);
        this.stale = id.origin().stale().toMillis();
        this.clock = clock;
    }

    static FetchedKeys create(Id id, KeyFetch fetch, Refresher refresher, InstantSource clock) {
        var origin = id.origin();
        Refreshed<Aged> fetched = refresher.every(
                "the keys of " + origin.name(),
                origin.refresh(),
                origin.refetch(),
                () -> new Aged(fetch.keys(), clock.millis()));
        return new FetchedKeys(id, fetched, clock);
    }

    @Override
    public KeySet current() {
        Optional<Aged> now = fetched.current();
        if (now.isPresent() && isGood(now.get())) return now.get().keys();
        fetched.renew(patience);
        Optional<Aged> then = fetched.current();
        if (then.isPresent() && isGood(then.get())) return then.get().keys();
        throw away();
    }

    private boolean isGood(Aged aged) {
        return clock.millis() - aged.at() <= stale;
    }

    @Override
    public Optional<KeySet> newer() {
        Renewal renewal = fetched.renew(patience);
        return switch (renewal) {
            case LOADED -> Optional.of(current());
            case TOO_EARLY -> Optional.empty();
            case FAILED -> throw away();
        };
    }

    private DependencyException away() {
        return new DependencyException(server, "its keys cannot be had");
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
