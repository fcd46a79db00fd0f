package gateway.wire.client;

import gateway.wire.http2.UpstreamSession;
import gateway.wire.io.Deadlines;
import gateway.wire.memory.Kind;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/// One HTTP/2 connection among the [SharedConnections] of its server, looked at from time to time. When it leads to an
/// address that the server's name no longer has, it takes no more requests and ends with those it has.
final class SharedConnection implements Deadlines.Timed {
    private final IoThreadResources ioThread;
    private final UpstreamSession session;
    private final ServerAddresses addresses;
    private final @Nullable InetAddress peer;
    private int slot = -1;

    SharedConnection(
            UpstreamSession.Owner owner,
            IoThreadResources ioThread,
            StreamConnection channel,
            ServerAddresses addresses) {
        this.addresses = addresses;
        this.peer = UpstreamConnection.peer(channel);
        this.ioThread = ioThread;
        this.session = new UpstreamSession(
                channel,
                ioThread.nextTurn(),
                ioThread.buffers(),
                ioThread.records(),
                ioThread.purse(Kind.HEADS),
                ioThread.purse(Kind.FRAMES),
                owner);
    }

    void begin() {
        session.begin();
        ioThread.connectionDeadlines().watch(this);
    }

    void end() {
        ioThread.connectionDeadlines().forget(this);
    }

    UpstreamSession session() {
        return session;
    }

    @Override
    public void onTick(long now) {
        addresses.look();
        if (!addresses.include(peer)) session.leave();
        session.onTick(now);
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
