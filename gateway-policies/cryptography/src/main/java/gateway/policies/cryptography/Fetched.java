package gateway.policies.cryptography;

import gateway.service.DependencyException;
import gateway.service.Refreshed;
import gateway.service.Refreshed.Renewal;
import gateway.service.Refresher;
import gateway.service.Served;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;

/// What a server tells of itself: fetched when it is first served, and again before it is old. While the server is away
/// what is at hand goes on, for a while.
public final class Fetched<T> implements Served {
    /// Late by so much a call ends at the latest.
    private static final Duration GRACE = Duration.ofMillis(500);

    /// @param at when it came, in milliseconds of the clock
    private record Aged<T>(T value, long at) {}

    private final String server;
    private final String what;
    private final Refreshed<Aged<T>> fetched;
    private final Duration patience;
    private final long stale;
    private final InstantSource clock;

    private Fetched(
            String server,
            String what,
            Refreshed<Aged<T>> fetched,
            Duration patience,
            Duration stale,
            InstantSource clock) {
        this.server = server;
        this.what = what;
        this.fetched = fetched;
        this.patience = patience;
        this.stale = stale.toMillis();
        this.clock = clock;
    }

    /// @param what is fetched, in words, such as `keys`
    /// @param timeout of a fetch
    public static <T> Fetched<T> create(
            KeyOrigin.Server origin,
            String what,
            Duration timeout,
            Callable<T> fetch,
            Refresher refresher,
            InstantSource clock) {
        Refreshed<Aged<T>> fetched = refresher.every(
                "the " + what + " of " + origin.name(),
                origin.refresh(),
                origin.refetch(),
                () -> new Aged<>(fetch.call(), clock.millis()));
        return new Fetched<>(origin.name(), what, fetched, timeout.plus(GRACE), origin.stale(), clock);
    }

    /// @throws DependencyException when there is none that is young enough
    public T current() {
        Optional<Aged<T>> now = fetched.current();
        if (now.isPresent() && isGood(now.get())) return now.get().value();
        fetched.renew(patience);
        Optional<Aged<T>> then = fetched.current();
        if (then.isPresent() && isGood(then.get())) return then.get().value();
        throw away();
    }

    private boolean isGood(Aged<T> aged) {
        return clock.millis() - aged.at() <= stale;
    }

    /// One that is newer than `seen`: it came since that was looked at, or is fetched now. Empty when there is none and
    /// the last one is too young to be fetched again.
    ///
    /// @throws DependencyException when it cannot be fetched
    public Optional<T> newer(T seen) {
        Optional<T> meanwhile = other(seen);
        if (meanwhile.isPresent()) return meanwhile;
        Renewal renewal = fetched.renew(patience);
        return switch (renewal) {
            case LOADED -> Optional.of(current());
            case TOO_EARLY -> other(seen); // of one that has just come nobody needs to be told that it is too young
            case FAILED -> throw away();
        };
    }

    private Optional<T> other(T seen) {
        T now = current();
        return now.equals(seen) ? Optional.empty() : Optional.of(now);
    }

    private DependencyException away() {
        return new DependencyException(server, "its " + what + " cannot be had");
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
