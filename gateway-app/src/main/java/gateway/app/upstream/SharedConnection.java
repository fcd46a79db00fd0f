package gateway.app.upstream;

import gateway.app.upstream.h2.UpstreamSession;
import org.xnio.StreamConnection;

/// One HTTP/2 connection among the [SharedConnections] of its server, looked at from time to time.
final class SharedConnection implements Deadlines.Timed {
    private final Lane lane;
    private final UpstreamSession session;
    private int slot = -1;

    SharedConnection(UpstreamSession.Owner owner, Lane lane, StreamConnection channel) {
        this.lane = lane;
        this.session = new UpstreamSession(channel, lane.buffers(), lane.records(), owner);
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
