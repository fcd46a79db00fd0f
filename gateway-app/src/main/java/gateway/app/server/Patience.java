package gateway.app.server;

import gateway.app.upstream.Deadlines;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Gives up when waiting for a client has lasted too long, or has become pointless. Late by up to a tick of the lane's
/// connection deadlines. Used on the IO thread alone.
final class Patience implements Deadlines.Timed {
    private final Deadlines deadlines;
    private final long nanos;
    private final BooleanSupplier pointless;
    private final Runnable giveUp;
    private long since;
    private int slot = -1;

    Patience(ClientConnection connection, Duration patience, BooleanSupplier pointless, Runnable giveUp) {
        this.deadlines = connection.lane().connectionDeadlines();
        this.nanos = patience.toNanos();
        this.pointless = pointless;
        this.giveUp = giveUp;
    }

    /// Waiting begins; no change when it has begun already.
    void begin() {
        if (slot >= 0) return;
        since = System.nanoTime();
        deadlines.watch(this);
    }

    /// The client got on, or nobody waits any longer.
    void end() {
        deadlines.forget(this);
    }

    @Override
    public void onTick(long now) {
        if (now - since <= nanos && !pointless.getAsBoolean()) return;
        end();
        giveUp.run();
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int value) {
        slot = value;
    }
}
