package gateway.app.redis;

/// When this node's threads stood still lately: the process was stopped, or others had its cores. Nobody was read from
/// then, so none of it is the time of whom they wait for.
///
/// Bounded: of many only the latest are known. Used by one thread.
final class Standstills {
    private static final int MOST = 16;

    private final long[] begun = new long[MOST];
    private final long[] ended = new long[MOST];
    private long count;

    /// Both as [System#nanoTime], `to` after all that were added before.
    void add(long from, long to) {
        int place = (int) (count++ % MOST);
        begun[place] = from;
        ended[place] = to;
    }

    /// How long in all the standstills were that ended after `from`, or of which what piled up may still have been
    /// worked off then: for as long as the standstill was, but no longer than `most` nanoseconds.
    long disturbance(long from, long most) {
        long sum = 0;
        for (int i = 0; i < Math.min(count, MOST); i++) {
            long stood = ended[i] - begun[i];
            if (ended[i] + Math.min(stood, most) - from > 0) sum += stood;
        }
        return sum;
    }

    /// The time from `from` to `now` without standstills, but for the first `most` nanoseconds of each.
    long lived(long from, long now, long most) {
        long lived = now - from;
        for (int i = 0; i < Math.min(count, MOST); i++) {
            long stood = ended[i] - (begun[i] - from > 0 ? begun[i] : from);
            if (stood > most) lived -= stood - most;
        }
        return lived;
    }
}
