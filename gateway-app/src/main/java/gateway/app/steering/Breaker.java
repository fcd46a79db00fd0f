package gateway.app.steering;

import gateway.config.CircuitBreakerDefinition;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/// A circuit breaker (Nygard, Release It!): closed while most requests go well; open, and nothing passes, once too many
/// have failed or been slow; half-open when it has been open long enough, and a few requests try. All of these well:
/// closed; one not: open again.
///
/// Whoever got a ticket hands it back once, with what came of it, and may tell later that the answer broke off. Tickets
/// of an earlier phase count for nothing.
public final class Breaker {
    /// What [#enter] answers when nothing may pass.
    public static final long SHUT = -1;

    public enum Phase {
        CLOSED,
        OPEN,
        HALF_OPEN
    }

    private final CircuitBreakerDefinition definition;
    private final LongSupplier ticks;
    private final long slowCall;
    private final AtomicReference<State> state;
    private final AtomicLong refused = new AtomicLong();

    /// @param number of the phase; a ticket bears it
    /// @param since when it began, in ticks
    /// @param probes that may still go, and `succeeded` that went well: while half-open
    private record State(Phase phase, long number, long since, int probes, int succeeded, Window window) {}

    /// @param ticks nanoseconds from anywhere, such as [System#nanoTime]
    public Breaker(CircuitBreakerDefinition definition, LongSupplier ticks) {
        this.definition = definition;
        this.ticks = ticks;
        this.slowCall = definition.slowCall().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        this.state = new AtomicReference<>(new State(Phase.CLOSED, 0, ticks.getAsLong(), 0, 0, window()));
    }

    private Window window() {
        return new Window(definition.window().toNanos());
    }

    /// A ticket for one request, or [#SHUT].
    public long enter() {
        while (true) {
            State now = current();
            switch (now.phase) {
                case CLOSED -> {
                    return now.number;
                }
                case OPEN -> {
                    if (!isOver(now)) return refuse();
                    become(now, Phase.HALF_OPEN);
                }
                case HALF_OPEN -> {
                    if (now.probes == 0) return refuse();
                    State next = new State(now.phase, now.number, now.since, now.probes - 1, now.succeeded, now.window);
                    if (state.compareAndSet(now, next)) return now.number;
                }
            }
        }
    }

    private boolean isOver(State open) {
        return ticks.getAsLong() - open.since >= definition.open().toNanos();
    }

    private long refuse() {
        refused.incrementAndGet();
        return SHUT;
    }

    /// The request of `ticket` got its response head, or failed, after `took` nanoseconds.
    public void ended(long ticket, boolean failed, long took) {
        State now = current();
        if (now.number != ticket) return;
        boolean slow = took >= slowCall;
        switch (now.phase) {
            case CLOSED -> count(now, failed, slow);
            case OPEN -> {}
            case HALF_OPEN -> {
                if (failed || slow) become(now, Phase.OPEN);
                else probeSucceeded(ticket);
            }
        }
    }

    private void count(State now, boolean failed, boolean slow) {
        long tick = ticks.getAsLong();
        now.window.count(tick, failed, slow);
        if (failed || slow) openIfReached(now, tick);
    }

    private void openIfReached(State now, long tick) {
        boolean reached = now.window
                .sums(tick)
                .reaches(definition.failurePercent(), definition.slowPercent(), definition.minRequests());
        if (reached) become(now, Phase.OPEN);
    }

    /// The answer to the request of `ticket` broke off, whose head [#ended] was told of as good.
    public void brokeOff(long ticket) {
        State now = current();
        if (now.number != ticket) return;
        switch (now.phase) {
            case CLOSED -> {
                long tick = ticks.getAsLong();
                now.window.countFailureOfCounted(tick);
                openIfReached(now, tick);
            }
            case OPEN -> {}
            case HALF_OPEN -> become(now, Phase.OPEN);
        }
    }

    private void probeSucceeded(long ticket) {
        while (true) {
            State now = current();
            if (now.number != ticket) return;
            int succeeded = now.succeeded + 1;
            if (succeeded >= definition.probes()) {
                if (become(now, Phase.CLOSED)) return;
            } else {
                State next = new State(now.phase, now.number, now.since, now.probes, succeeded, now.window);
                if (state.compareAndSet(now, next)) return;
            }
        }
    }

    /// The request of `ticket` says nothing about the upstream: its client went away, or it was never sent.
    public void withdrawn(long ticket) {
        while (true) {
            State now = current();
            if (now.number != ticket || now.phase != Phase.HALF_OPEN) return;
            State next = new State(now.phase, now.number, now.since, now.probes + 1, now.succeeded, now.window);
            if (state.compareAndSet(now, next)) return;
        }
    }

    private State current() {
        return Objects.requireNonNull(state.get());
    }

    private boolean become(State from, Phase phase) {
        int probes = phase == Phase.HALF_OPEN ? definition.probes() : 0;
        return state.compareAndSet(from, new State(phase, from.number + 1, ticks.getAsLong(), probes, 0, window()));
    }

    /// As it stands; one that has been open long enough is still open until a request comes.
    public Phase phase() {
        return current().phase;
    }

    /// Requests that it kept from the upstream.
    public long refused() {
        return refused.get();
    }
}
