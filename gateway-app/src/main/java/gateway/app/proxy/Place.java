package gateway.app.proxy;

import gateway.wire.memory.Kind;
import gateway.wire.memory.Purse;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// The place of one request among those in flight: taken while the gateway or the upstream works for it, given back
/// while only its client is awaited. What such a request holds meanwhile is bounded by memory; when there is none left
/// it keeps its place.
final class Place implements WaitingRequest.Waiter {
    /// What a request holds besides its head and content: reckoned, not measured.
    static final long AWAY_BYTES = 4 * 1024;

    private enum Standing {
        OUTSIDE,
        INSIDE,
        AWAY,
        AWAY_CONNECTED
    }

    private final Admission admission;
    private final WaitingLine line;
    private final ClientConnection connection;
    private final Purse memory;
    private volatile @Nullable WaitingRequest waiting;
    private Admission.Entry entry = Admission.Entry.NONE;
    private Standing standing = Standing.OUTSIDE;

    Place(Admission admission, WaitingLine line, ClientConnection connection) {
        this.admission = admission;
        this.line = line;
        this.connection = connection;
        this.memory = connection.ioThread().purse(Kind.BODIES);
    }

    /// Takes it, maybe after a wait; on the request thread. False when there is none. All the rest is for the IO
    /// thread.
    boolean enter() {
        XnioIoThread io = connection.ioThread().io();
        entry = admission.enter(io, line, connection.isProven(), this);
        waiting = null;
        if (entry == Admission.Entry.NONE) return false;
        standing = Standing.INSIDE;
        return true;
    }

    /// An API has answered, maybe on a connection of which other requests wait for a place.
    void served() {
        if (connection.isProven()) admission.proved(line);
    }

    @Override
    public void waits(WaitingRequest request) {
        waiting = request;
        connection.ioThread().io().execute(connection::watch);
    }

    /// Nobody waits for it any longer.
    void stopWaiting() {
        WaitingRequest left = waiting;
        if (left != null) admission.leaveRoom(left);
    }

    /// Only the client is awaited.
    ///
    /// @param connected whether the request holds a connection to an upstream meanwhile, or may make one later
    /// @return false when so many that do wait for their clients that this one cannot
    boolean away(boolean connected) {
        if (standing != Standing.INSIDE) return true;
        if (connected && !admission.mayBeAway()) return false;
        if (!memory.take(AWAY_BYTES)) return true;
        standing = connected ? Standing.AWAY_CONNECTED : Standing.AWAY;
        admission.away(line, entry, connected);
        return true;
    }

    /// Whether the client has, with this one, more requests that wait for it so than it may. One that has let go of its
    /// connection meanwhile counts no longer.
    ///
    /// @param connected see [#away]
    boolean isOneTooMany(boolean connected) {
        if (standing == Standing.AWAY_CONNECTED && !connected) {
            standing = Standing.AWAY;
            admission.disconnected(line);
        }
        return switch (standing) {
            case OUTSIDE, AWAY -> false;
            case INSIDE -> connected && admission.hasTooManyAway(line, 1);
            case AWAY_CONNECTED -> admission.hasTooManyAway(line, 0);
        };
    }

    /// Gives it back for a moment in which nobody works for the request; false, and nothing changes, when it cannot.
    ///
    /// @param connected see [#away]
    boolean pauses(boolean connected) {
        return away(connected) && isAway();
    }

    private boolean isAway() {
        return standing == Standing.AWAY || standing == Standing.AWAY_CONNECTED;
    }

    /// The client has moved, or is not what is awaited any more.
    void back() {
        if (!isAway()) return;
        boolean connected = standing == Standing.AWAY_CONNECTED;
        standing = Standing.INSIDE;
        memory.giveBack(AWAY_BYTES);
        admission.back(line, entry, connected);
    }

    /// The request is over, whether it had a place or not.
    void leave() {
        switch (standing) {
            case OUTSIDE -> {}
            case INSIDE -> admission.leave(line, entry);
            case AWAY, AWAY_CONNECTED -> {
                memory.giveBack(AWAY_BYTES);
                admission.leaveAway(line, standing == Standing.AWAY_CONNECTED);
            }
        }
        standing = Standing.OUTSIDE;
        line.requestEnded();
    }
}
