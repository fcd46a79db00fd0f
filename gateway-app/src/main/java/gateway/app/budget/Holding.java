package gateway.app.budget;

/// What one connection or request holds of a budget: as many bytes as it says it needs now. Used on the IO thread of
/// its
/// purse.
public final class Holding {
    private final Purse purse;
    private long bytes;

    public Holding(Purse purse) {
        this.purse = purse;
    }

    /// Holds `needed` bytes from now on, be it more or fewer than before; false, and nothing changes, when more do not
    /// fit.
    public boolean hold(long needed) {
        long more = needed - bytes;
        if (more > 0 && !purse.take(more)) return false;
        if (more < 0) purse.giveBack(-more);
        bytes = needed;
        return true;
    }

    /// Holds `needed` bytes from now on whether they fit or not; see [Budget#takeAnyway].
    public void holdAnyway(long needed) {
        if (hold(needed)) return;
        purse.takeAnyway(needed - bytes);
        bytes = needed;
    }

    /// Holds nothing any more; again: no change.
    public void release() {
        if (bytes == 0) return;
        purse.giveBack(bytes);
        bytes = 0;
    }

    /// Bytes that are held.
    public long bytes() {
        return bytes;
    }
}
