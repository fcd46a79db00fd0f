package gateway.app.server;

import gateway.app.upstream.Deadlines;
import java.time.Duration;

/// Closes a client connection whose request body stands still: the reader waits for more, and nothing has come for
/// too long. Late by up to a tick of the lane's connection deadlines.
final class BodyPatience implements Deadlines.Timed {
    private final Http1Connection connection;
    private final long nanos;
    private boolean waiting;
    private long since;
    private int slot = -1;

    BodyPatience(Http1Connection connection, Duration patience) {
        this.connection = connection;
        this.nanos = patience.toNanos();
    }

    /// The reader has taken all there is and waits for more; each time anew.
    void begin() {
        waiting = true;
        since = System.nanoTime();
        if (slot < 0) connection.lane().connectionDeadlines().watch(this);
    }

    /// The reader waits no longer, be it that the upstream is the slower one.
    void end() {
        waiting = false;
    }

    void forget() {
        connection.lane().connectionDeadlines().forget(this);
    }

    @Override
    public void onTick(long now) {
        if (!waiting || !connection.receivesBody()) {
            forget();
        } else if (now - since > nanos) {
            forget();
            connection.giveUp();
        }
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
