package gateway.wire.memory;

/// What one IO thread has taken from a budget in advance, so that it takes and gives back small amounts without sharing
/// a number with other threads. Used on that thread alone; keeps two [#SLICE]s at most.
public final class Purse {
    /// Bytes that are fetched at a time.
    static final long SLICE = 32 * 1024;

    private final Budget budget;
    private long left;

    public Purse(Budget budget) {
        this.budget = budget;
    }

    /// Takes `bytes` until they are given back; false, and nothing is taken, when they do not fit.
    public boolean take(long bytes) {
        if (bytes <= left) {
            left -= bytes;
            return true;
        }
        return fetch(bytes);
    }

    private boolean fetch(long bytes) {
        long missing = bytes - left;
        if (budget.takeUncounted(missing + SLICE)) {
            left = SLICE;
            return true;
        }
        if (!budget.take(missing)) return false;
        left = 0;
        return true;
    }

    /// Takes `bytes` whether they fit or not; see [Budget#takeAnyway].
    public void takeAnyway(long bytes) {
        if (!take(bytes)) budget.takeAnyway(bytes);
    }

    /// Gives back what was taken here.
    public void giveBack(long bytes) {
        left += bytes;
        if (left <= 2 * SLICE) return;
        budget.giveBack(left - SLICE);
        left = SLICE;
    }

    /// The budget behind it.
    public Budget budget() {
        return budget;
    }
}
