package gateway.wire.accept;

import gateway.wire.http1.HeadRoom;
import gateway.wire.io.SilentConnections;
import gateway.wire.io.SilentLine;
import gateway.wire.io.Sockets;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Purse;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.xnio.ChannelListeners;
import org.xnio.StreamConnection;

/// Whether the client of an HTTP/1 connection keeps silent, and since when; and what the connection holds of the memory
/// for heads. Used on the connection's IO thread.
public final class ClientSilence implements HeadRoom, SilentLine.Silent {
    /// What the connection waits for.
    enum Phase {
        /// For a request.
        IDLE,
        /// For the rest of a head.
        HEAD,
        /// For the end of a request.
        REQUEST
    }

    private static final long UNKNOWN = Long.MIN_VALUE;

    private final StreamConnection channel;
    private final BooleanSupplier awaitsTurn;
    private final SilenceWatch watch;
    private final Holding holding;
    private final Runnable closeIdle;
    private final SilentConnections silent;
    private Phase phase = Phase.IDLE;
    private long since = System.nanoTime();
    private boolean asked;
    private boolean inLine;
    private boolean closed;
    private int slot = -1;

    /// @param awaitsTurn whether something of the client has come that waits to be read
    /// @param purse of the memory for heads
    /// @param closeIdle closes the connection unless some of a request has come meanwhile
    public ClientSilence(
            StreamConnection channel, BooleanSupplier awaitsTurn, SilenceWatch watch, Purse purse, Runnable closeIdle) {
        this.channel = channel;
        this.awaitsTurn = awaitsTurn;
        this.watch = watch;
        this.holding = new Holding(purse);
        this.closeIdle = closeIdle;
        this.silent = watch.silent();
        watch.join(this);
        inLine = true;
        silent.begun(this);
    }

    @Override
    public boolean hold(long bytes) {
        return closed || holding.hold(bytes);
    }

    @Override
    public void headBegun() {
        if (phase == Phase.IDLE) {
            phase = Phase.HEAD;
            since = System.nanoTime();
        }
        watch.headGrew();
    }

    @Override
    public void headWhole() {
        phase = Phase.REQUEST;
        asked = true;
        if (inLine) leaveLine();
    }

    private void leaveLine() {
        inLine = false;
        silent.over(this);
    }

    /// The watch has looked at it.
    void silentFor(long nanos) {
        if (inLine || !asked || nanos < SilentConnections.IDLE_NANOS) return;
        inLine = true;
        silent.idle(this);
    }

    /// Since when, the watch finds out by itself: no request has to ask the clock.
    @Override
    public void requestOver() {
        phase = Phase.IDLE;
        since = UNKNOWN;
    }

    /// The connection was closed, which any thread may do.
    @SuppressWarnings("ReferenceEquality") // which thread this is
    public void closed() {
        if (Thread.currentThread() == channel.getIoThread()) {
            end();
            return;
        }
        try {
            channel.getIoThread().execute(this::end);
        } catch (RejectedExecutionException e) {
            // the gateway has stopped: nobody asks for memory any more
        }
    }

    private void end() {
        closed = true;
        leaveLine();
        holding.release();
        watch.leave(this);
    }

    /// @param now as of [System#nanoTime]
    Phase phase(long now) {
        if (since == UNKNOWN) since = now;
        return phase;
    }

    /// As of the latest [#phase].
    long since() {
        return since;
    }

    /// Bytes of the memory for heads.
    long held() {
        return holding.bytes();
    }

    void close() {
        if (phase == Phase.IDLE) {
            closeIdle.run();
            if (channel.isOpen()) return; // it may take another look first
        } else {
            Sockets.close(channel);
        }
        end(); // at once: who makes room counts on it
    }

    @Override
    public boolean awaitsTurn() {
        return awaitsTurn.getAsBoolean();
    }

    /// A request that has come meanwhile is read first, as when the socket were heard of, and keeps the place.
    @Override
    public boolean makeRoom() {
        var source = channel.getSourceChannel();
        ChannelListeners.invokeChannelListener(source, source.getReadListener());
        if (!inLine) return closed;
        Sockets.close(channel);
        end();
        return true;
    }

    int slot() {
        return slot;
    }

    void slot(int value) {
        slot = value;
    }
}
