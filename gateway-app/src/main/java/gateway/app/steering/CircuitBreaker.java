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
/// Whoever got a ticket hands it back once, with what came of it. When the head of an answer is good and its content
/// streams, both are told of: the request counts as good with its head while the breaker is closed, and one of the few
/// that try only when all of its answer has come, or goes on for longer than the breaker was open. Tickets of an
/// earlier phase count for nothing.
public final class CircuitBreaker {
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
    /// @param since when it began, in ticks; while half-open, when an answer last began to stream
    /// @param probes that may still go, `streaming` whose answer has begun well, and `succeeded`: while half-open
    private record State(
            Phase phase, long number, long since, int probes, int streaming, int succeeded, Window window) {
        State with(int otherProbes, int otherStreaming, int otherSucceeded) {
            return new State(phase, number, since, otherProbes, otherStreaming, otherSucceeded, window);
        }
    }

    /// @param ticks nanoseconds from anywhere, such as [System#nanoTime]
    public CircuitBreaker(CircuitBreakerDefinition definition, LongSupplier ticks) {
        this.definition = definition;
        this.ticks = ticks;
        this.slowCall = definition.slowCall().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        this.state = new AtomicReference<>(new State(Phase.CLOSED, 0, ticks.getAsLong(), 0, 0, 0, window()));
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
                    if (now.probes > 0) {
                        State next = now.with(now.probes - 1, now.streaming, now.succeeded);
                        if (state.compareAndSet(now, next)) return now.number;
                    } else if (isOver(now) && now.streaming + now.succeeded >= definition.probes()) {
                        become(now, Phase.CLOSED); // answers without end would keep all others out
                    } else {
                        return refuse();
                    }
                }
            }
        }
    }

    /// Whether it, or the last answer that streams, has lasted as long as the breaker is to be open.
    private boolean isOver(State now) {
        return ticks.getAsLong() - now.since >= definition.open().toNanos();
    }

    private long refuse() {
        refused.incrementAndGet();
        return SHUT;
    }

    /// The request of `ticket` got its whole answer, or failed, after `took` nanoseconds.
    public void ended(long ticket, boolean failed, long took) {
        State now = current();
        if (now.number != ticket) return;
        boolean slow = took >= slowCall;
        switch (now.phase) {
            case CLOSED -> count(now, failed, slow);
            case OPEN -> {}
            case HALF_OPEN -> {
                if (failed || slow) reopen(ticket);
                else probeSucceeded(ticket, 0);
            }
        }
    }

    /// The request of `ticket` got the head of an answer after `took` nanoseconds, and a good one; its content is still
    /// to come. [#completed] or [#brokeOff] tells how that ended.
    public void began(long ticket, long took) {
        State now = current();
        if (now.number != ticket) return;
        boolean slow = took >= slowCall;
        switch (now.phase) {
            case CLOSED -> count(now, false, slow);
            case OPEN -> {}
            case HALF_OPEN -> {
                if (slow) reopen(ticket);
                else probeStreams(ticket);
            }
        }
    }

    /// The content of an answer that [#began] has come, or nobody waited for the rest.
    public void completed(long ticket) {
        State now = current();
        if (now.number == ticket && now.phase == Phase.HALF_OPEN) probeSucceeded(ticket, 1);
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

    /// The content of an answer that [#began] broke off.
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
            case HALF_OPEN -> reopen(ticket);
        }
    }

    /// One of those that try has failed.
    private void reopen(long ticket) {
        State now = current();
        while (now.number == ticket && !become(now, Phase.OPEN)) now = current();
    }

    private void probeStreams(long ticket) {
        while (true) {
            State now = current();
            if (now.number != ticket) return;
            var next = new State(
                    now.phase, now.number, ticks.getAsLong(), now.probes, now.streaming + 1, now.succeeded, now.window);
            if (state.compareAndSet(now, next)) return;
        }
    }

    /// @param streamed 1 when its answer was among those that [#began]; else 0
    private void probeSucceeded(long ticket, int streamed) {
        while (true) {
            State now = current();
            if (now.number != ticket) return;
            int succeeded = now.succeeded + 1;
            if (succeeded >= definition.probes()) {
                if (become(now, Phase.CLOSED)) return;
            } else {
                State next = now.with(now.probes, now.streaming - streamed, succeeded);
                if (state.compareAndSet(now, next)) return;
            }
        }
    }

    /// The request of `ticket` says nothing about the upstream: its client went away, or it was never sent.
    public void withdrawn(long ticket) {
        while (true) {
            State now = current();
            if (now.number != ticket || now.phase != Phase.HALF_OPEN) return;
            State next = now.with(now.probes + 1, now.streaming, now.succeeded);
            if (state.compareAndSet(now, next)) return;
        }
    }

    private State current() {
        return Objects.requireNonNull(state.get());
    }

    private boolean become(State from, Phase phase) {
        int probes = phase == Phase.HALF_OPEN ? definition.probes() : 0;
        return state.compareAndSet(from, new State(phase, from.number + 1, ticks.getAsLong(), probes, 0, 0, window()));
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
