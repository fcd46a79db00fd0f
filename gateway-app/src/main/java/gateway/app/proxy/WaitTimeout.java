package gateway.app.proxy;

import gateway.wire.io.Deadlines;
import java.time.Duration;

/// Gives up when something has lasted too long. Late by up to a tick of the IO thread's connection deadlines. Used on
/// the IO thread alone.
final class WaitTimeout implements Deadlines.Timed {
    private final Deadlines deadlines;
    private final long nanos;
    private final Runnable giveUp;
    private long since;
    private int slot = -1;

    WaitTimeout(ClientConnection connection, Duration patience, Runnable giveUp) {
        this.deadlines = connection.ioThread().connectionDeadlines();
        this.nanos = patience.toNanos();
        this.giveUp = giveUp;
    }

    /// It begins.
    void begin() {
        since = System.nanoTime();
        deadlines.watch(this);
    }

    /// It is over.
    void end() {
        deadlines.forget(this);
    }

    @Override
    public void onTick(long now) {
        if (now - since <= nanos) return;
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
