package gateway.app.traffic;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/// Records of a segment that Elasticsearch did not take now, to be sent alone: all of them in turn, then again, ever
/// more slowly. Attempts at records that are put off to a later segment are remembered until they come again. One of
/// them is given up when attempts at it have failed while others were taken: no other
/// evidence tells a record that will never be taken from a time at which none is.
final class RetriedRecords {
    private static final int MOST_ATTEMPTS = 5; // some 25 s
    private static final int MOST_PUT_OFF = 10_000; // of more, attempts are counted anew

    private final Backoff backoff = new Backoff(
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            bound -> ThreadLocalRandom.current().nextLong(bound));
    private ArrayDeque<Straggler> waiting = new ArrayDeque<>();
    private int left; // of this round
    private boolean tried;
    private final Map<Long, Attempts> putOff = new LinkedHashMap<>();

    /// @param record its number in the batch
    private record Straggler(int record, Attempts attempts) {}

    /// @param count alone, while others were taken
    /// @param indexed records indexed up to the last one
    private record Attempts(int count, long indexed) {}

    /// All of them, or none when it throws.
    void add(List<Integer> records, Batch batch, long indexed) {
        var grown = new ArrayDeque<>(waiting);
        for (int record : records) {
            Attempts before = putOff.get(batch.checksum(record));
            grown.add(new Straggler(record, before == null ? new Attempts(0, indexed) : before));
        }
        for (int record : records) putOff.remove(batch.checksum(record));
        waiting = grown;
    }

    boolean holds(int record) {
        for (Straggler each : waiting) if (each.record() == record) return true;
        return false;
    }

    /// They wait in another segment from now on.
    void putOff(Batch batch) {
        for (Straggler each : waiting) {
            if (putOff.size() < MOST_PUT_OFF) putOff.put(batch.checksum(each.record()), each.attempts());
        }
        waiting = new ArrayDeque<>();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// Begins the first round.
    void begin(long nowNanos) {
        backoff.worked();
        endRound(nowNanos);
        tried = false;
    }

    /// Whether each of them has been tried alone.
    boolean isTried() {
        return tried;
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
        return attempts(waiting.element(), indexed) >= MOST_ATTEMPTS;
    }

    void settled(long nowNanos) {
        waiting.remove();
        if (--left == 0) endRound(nowNanos);
    }

    void failed(long indexed, long nowNanos) {
        Straggler straggler = waiting.remove();
        waiting.add(new Straggler(straggler.record(), new Attempts(attempts(straggler, indexed), indexed)));
        if (--left == 0) endRound(nowNanos);
    }

    private void endRound(long nowNanos) {
        left = waiting.size();
        tried = true;
        backoff.failed(nowNanos);
    }

    private static int attempts(Straggler straggler, long indexed) {
        Attempts before = straggler.attempts();
        return indexed == before.indexed() ? before.count() : before.count() + 1;
    }
}
