package gateway.wire.io;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Deadlines of one IO thread, looked at all together every tick: arming and disarming one costs an array slot
/// rather than a timer. Late by up to a tick. No tick runs while there is nothing to watch.
public final class Deadlines {
    private final XnioIoThread io;
    private final long tickMillis;
    private final Runnable tick = this::tick;
    private @Nullable Timed[] watched = new Timed[64];
    private int count;
    private boolean ticking;

    /// Something that may run late. Remembers its own slot so that leaving is cheap.
    public interface Timed {
        /// @param now [System#nanoTime]
        void onTick(long now);

        int slot();

        void slot(int slot);
    }

    public Deadlines(XnioIoThread io, long tickMillis) {
        this.io = io;
        this.tickMillis = tickMillis;
    }

    public void watch(Timed timed) {
        if (count == watched.length) watched = Arrays.copyOf(watched, count * 2);
        timed.slot(count);
        watched[count++] = timed;
        if (!ticking) arm();
    }

    public void forget(Timed timed) {
        int slot = timed.slot();
        if (slot < 0) return;
        Timed last = watched[--count];
        watched[count] = null;
        if (slot != count && last != null) {
            watched[slot] = last;
            last.slot(slot);
        }
        timed.slot(-1);
    }

    private void arm() {
        ticking = true;
        io.executeAfter(tick, tickMillis, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        ticking = false;
        long now = System.nanoTime();
        for (int i = count - 1; i >= 0; i--) { // downwards: whoever leaves is replaced by one already looked at
            Timed timed = i < count ? watched[i] : null;
            if (timed != null) timed.onTick(now);
        }
        if (count > 0 && !ticking) arm();
    }
}
