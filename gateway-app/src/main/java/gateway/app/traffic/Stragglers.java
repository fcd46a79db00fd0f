package gateway.app.traffic;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// Records of a segment that Elasticsearch did not take now, to be sent alone: all of them in turn, then again, ever
/// more slowly. One of them is given up when attempts at it have failed while others were taken: no other
/// evidence tells a record that will never be taken from a time at which none is.
final class Stragglers {
    private static final int ATTEMPTS = 5; // some 25 s

    private final Backoff backoff = new Backoff(
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            bound -> ThreadLocalRandom.current().nextLong(bound));
    private ArrayDeque<Straggler> waiting = new ArrayDeque<>();
    private int left; // of this round

    /// @param record its number in the batch
    /// @param attempts alone, while others were taken
    /// @param indexed records indexed up to the last attempt
    private record Straggler(int record, int attempts, long indexed) {}

    /// All of them, or none when it throws.
    void add(List<Integer> records, long indexed) {
        var grown = new ArrayDeque<>(waiting);
        for (int record : records) grown.add(new Straggler(record, 0, indexed));
        waiting = grown;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// Begins the first round.
    void begin(long nowNanos) {
        backoff.worked();
        endRound(nowNanos);
    }

    boolean mayTry(long nowNanos) {
        return backoff.mayTry(nowNanos);
    }

    /// The record whose turn it is.
    int record() {
        return waiting.element().record();
    }

    /// Whether the attempt under way is the last one, should it fail.
    boolean isLastAttempt(long indexed) {
        return attempts(waiting.element(), indexed) >= ATTEMPTS;
    }

    void settled(long nowNanos) {
        waiting.remove();
        if (--left == 0) endRound(nowNanos);
    }

    void failed(long indexed, long nowNanos) {
        Straggler straggler = waiting.remove();
        waiting.add(new Straggler(straggler.record(), attempts(straggler, indexed), indexed));
        if (--left == 0) endRound(nowNanos);
    }

    private void endRound(long nowNanos) {
        left = waiting.size();
        backoff.failed(nowNanos);
    }

    private static int attempts(Straggler straggler, long indexed) {
        return indexed == straggler.indexed() ? straggler.attempts() : straggler.attempts() + 1;
    }
}
