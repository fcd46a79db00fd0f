package gateway.app.proxy;

import gateway.wire.client.IoThreadResources;
import gateway.wire.io.Deadlines;
import gateway.wire.memory.Pressure;
import gateway.wire.tunnel.CloseFrame;
import gateway.wire.tunnel.TunnelEnd;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// An open WebSocket: bytes both ways between a client and an upstream, on their IO thread, without a thread of its
/// own.
///
/// When one end has said all, that is passed on and the other may still end its part, for a few seconds; a broken end
/// ends both at once. A tunnel in which nothing has moved for too long, and one of a gateway that stops, takes leave of
/// both ends.
final class Tunnel implements Deadlines.Timed {
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RequestRun run;
    private final IoThreadResources ioThread;
    private final TunnelDirection up;
    private final TunnelDirection down;
    private final long idleNanos;
    private long movedAt = System.nanoTime();
    private long lingersSince;
    private boolean lingers;
    private boolean closing;
    private boolean stopped;
    private int slot = -1;

    /// @param idle how long nothing may move
    Tunnel(RequestRun run, ClientRequest request, TunnelEnd client, TunnelEnd upstream, Duration idle) {
        this.run = run;
        this.ioThread = request.ioThread();
        this.idleNanos = idle.toNanos();
        this.up = new TunnelDirection(
                this, ioThread, client, upstream, request.content()::received, CloseFrame::toServer);
        this.down = new TunnelDirection(
                this,
                ioThread,
                upstream,
                client,
                (_, _, count) -> request.progress().tunnelled(count),
                CloseFrame::toClient);
        client.attach(up, down);
        upstream.attach(down, up);
    }

    /// Begins with `head` to the client.
    void open(ByteBuffer head) {
        ioThread.connectionDeadlines().watch(this);
        down.begin(head);
        if (!stopped) up.begin(null);
    }

    /// Something got on.
    void moved() {
        movedAt = System.nanoTime();
    }

    /// One direction has ended in order.
    void ended() {
        if (up.isOver() && down.isOver()) close();
        else linger();
    }

    /// The rest is given a few seconds.
    void linger() {
        if (lingers) return;
        lingers = true;
        lingersSince = System.nanoTime();
    }

    /// The end that `flow` comes from is gone.
    void broke(TunnelDirection flow) {
        if (!lingers) run.tunnelBroke(flow.equals(up));
        close();
    }

    /// The gateway's own fault.
    void failed(RuntimeException why) {
        closing = true;
        run.fail(why);
    }

    /// Tells both ends that the gateway goes away, and ends it when they have ended their parts, or some seconds later.
    void leave() {
        if (stopped) return;
        linger();
        up.leave();
        down.leave();
    }

    /// [#leave], from any thread.
    void leaveSoon() {
        ioThread.io().execute(this::leave);
    }

    /// Ends it. The client's connection goes first, and all else with its request.
    void close() {
        closing = true;
        if (!stopped) run.close();
    }

    /// [#close], from any thread.
    void closeSoon() {
        ioThread.io().execute(this::close);
    }

    /// The connections are closed, or about to be; when not by [#close], the client has reset its stream or is gone.
    void stop() {
        if (!closing && !lingers) run.tunnelBroke(true);
        stopped = true;
        ioThread.connectionDeadlines().forget(this);
        up.stop();
        down.stop();
    }

    @Override
    public void onTick(long now) {
        long still = now - movedAt;
        if (down.isStuck()
                && still > ClientWait.SHORT_NANOS
                && ioThread.memory().pressure() != Pressure.NONE) run.giveUp();
        else if (!lingers && still > idleNanos) leave();
        else if (lingers && now - lingersSince > LINGER_NANOS) close();
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
