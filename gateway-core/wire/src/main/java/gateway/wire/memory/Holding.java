package gateway.wire.memory;

import org.jspecify.annotations.Nullable;

/// What one connection or request holds of a budget: as many bytes as it says it needs now. Used on the IO thread of
/// its purse.
public final class Holding {
    private final Purse purse;
    private final @Nullable Share share;
    private long bytes;

    public Holding(Purse purse) {
        this(purse, null);
    }

    /// @param share of whoever holds it, which what is held counts in; null: it counts in none
    public Holding(Purse purse, @Nullable Share share) {
        this.purse = purse;
        this.share = share;
    }

    /// Holds `needed` bytes from now on, be it more or fewer than before; false, and nothing changes, when more do not
    /// fit.
    public boolean hold(long needed) {
        long more = needed - bytes;
        if (more > 0 && !take(more)) return false;
        if (more < 0) purse.giveBack(-more);
        if (share != null) share.add(more);
        bytes = needed;
        return true;
    }

    /// Holds `needed` bytes from now on whether they fit or not; see [Budget#takeAnyway].
    public void holdAnyway(long needed) {
        if (hold(needed)) return;
        long more = needed - bytes;
        purse.takeAnyway(more);
        if (share != null) share.add(more);
        bytes = needed;
    }

    private boolean take(long more) {
        if (share == null || share.has(more)) return purse.take(more);
        purse.budget().refuse();
        return false;
    }

    /// Holds nothing any more; again: no change.
    public void release() {
        hold(0);
    }

    /// Bytes that are held.
    public long bytes() {
        return bytes;
    }
}
