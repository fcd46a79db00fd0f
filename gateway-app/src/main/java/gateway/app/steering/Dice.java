package gateway.app.steering;

import java.util.concurrent.atomic.AtomicLong;

/// Random numbers for many threads at once without a lock (SplitMix64, Steele et al. 2014). Not for secrets.
public final class Dice {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final AtomicLong state;

    public Dice(long seed) {
        this.state = new AtomicLong(seed);
    }

    /// From 0 up to `bound`, which it never reaches.
    public long below(long bound) {
        return Long.remainderUnsigned(next(), bound);
    }

    /// From 0 up to 1, which it never reaches.
    public double fraction() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    private long next() {
        return Hash.mixed(state.addAndGet(GOLDEN_GAMMA));
    }
}
