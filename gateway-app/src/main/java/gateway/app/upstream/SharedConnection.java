package gateway.app.upstream;

import gateway.app.budget.Kind;
import gateway.app.upstream.h2.UpstreamSession;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/// One HTTP/2 connection among the [SharedConnections] of its server, looked at from time to time. When it leads to an
/// address that the server's name no longer has, it takes no more requests and ends with those it has.
final class SharedConnection implements Deadlines.Timed {
    private final Lane lane;
    private final UpstreamSession session;
    private final ServerAddresses addresses;
    private final @Nullable InetAddress peer;
    private int slot = -1;

    SharedConnection(UpstreamSession.Owner owner, Lane lane, StreamConnection channel, ServerAddresses addresses) {
        this.addresses = addresses;
        this.peer = UpstreamConnection.peer(channel);
        this.lane = lane;
        this.session = new UpstreamSession(
                channel,
                lane.nextTurn(),
                lane.buffers(),
                lane.records(),
                lane.purse(Kind.HEADS),
                lane.purse(Kind.FRAMES),
                owner);
    }

    void begin() {
        session.begin();
        lane.connectionDeadlines().watch(this);
    }

    void end() {
        lane.connectionDeadlines().forget(this);
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
