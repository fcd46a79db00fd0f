package gateway.wire.io;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.XnioIoThread;

/// Deadlines of one IO thread, looked at all together every tick: arming and disarming one costs an array slot
/// rather than a timer. Late by up to a tick. No tick runs while there is nothing to watch.
public final class Deadlines {
    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);
    private static final int LOOKS = 256; // between two at the clock
    private static final long NANOS_A_TURN = TimeUnit.MILLISECONDS.toNanos(1);

    private final XnioIoThread io;
    private final NextTurn nextTurn;
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

    public Deadlines(XnioIoThread io, NextTurn nextTurn, long tickMillis) {
        this.io = io;
        this.nextTurn = nextTurn;
        this.tickMillis = tickMillis;
    }

    /// For what takes longer than one turn of the thread.
    public NextTurn nextTurn() {
        return nextTurn;
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
        look(count - 1);
    }

    /// Downwards, since whoever leaves is replaced by one already looked at. What many that run late at once cost is
    /// spread over turns of the thread.
    private void look(int from) {
        long now = System.nanoTime();
        int before = count;
        for (int i = Math.min(from, count - 1); i >= 0; i--) {
            Timed timed = i < count ? watched[i] : null;
            if (timed != null) tell(timed, now);
            boolean costly = count < before;
            before = count;
            if ((costly || i % LOOKS == 0) && i > 0 && System.nanoTime() - now > NANOS_A_TURN) {
                int rest = i - 1;
                nextTurn.run(() -> look(rest));
                return;
            }
        }
        ticking = false;
        if (count > 0) arm();
    }

    private static void tell(Timed timed, long now) {
        try {
            timed.onTick(now);
        } catch (RuntimeException e) { // costs nobody else their deadline
            LOG.error("a deadline was not kept", e);
        }
    }
}
