package gateway.app.proxy;

import gateway.wire.client.IoThreadResources;
import gateway.wire.memory.Kind;
import gateway.wire.memory.Purse;

/// The place of one request among those in flight: taken while the gateway or the upstream works for it, given back
/// while only its client is awaited. What such a request holds meanwhile is bounded by memory; when there is none left
/// it keeps its place.
final class Place {
    /// What a request holds besides its head and content: reckoned, not measured.
    static final long AWAY_BYTES = 4 * 1024;

    private enum Standing {
        OUTSIDE,
        INSIDE,
        AWAY
    }

    private final Admission admission;
    private final WaitingLine line;
    private final Purse memory;
    private Standing standing = Standing.OUTSIDE;

    Place(Admission admission, WaitingLine line, IoThreadResources ioThread) {
        this.admission = admission;
        this.line = line;
        this.memory = ioThread.purse(Kind.BODIES);
    }

    /// Takes it, maybe after a wait; on the request thread. False when there is none. All the rest is for the IO
    /// thread.
    boolean enter(ClientConnection connection) {
        if (!admission.enter(connection.ioThread().io(), line, connection)) return false;
        standing = Standing.INSIDE;
        return true;
    }

    /// Only the client is awaited.
    ///
    /// @return false when so many requests wait for their clients that this one cannot
    boolean away() {
        if (standing != Standing.INSIDE) return true;
        if (!admission.mayBeAway()) return false;
        if (!memory.take(AWAY_BYTES)) return true;
        standing = Standing.AWAY;
        admission.away(line);
        return true;
    }

    /// Whether the client has more requests that wait for it than it may.
    boolean isOneTooMany() {
        return standing == Standing.AWAY && admission.hasTooManyAway(line);
    }

    /// Gives it back for a moment in which nobody works for the request; false, and nothing changes, when it cannot.
    boolean pauses() {
        return away() && standing == Standing.AWAY;
    }

    /// The client has moved, or is not what is awaited any more.
    void back() {
        if (standing != Standing.AWAY) return;
        standing = Standing.INSIDE;
        memory.giveBack(AWAY_BYTES);
        admission.back(line);
    }

    /// The request is over, whether it had a place or not.
    void leave() {
        switch (standing) {
            case OUTSIDE -> {}
            case INSIDE -> admission.leave(line);
            case AWAY -> {
                memory.giveBack(AWAY_BYTES);
                admission.leaveAway(line);
            }
        }
        standing = Standing.OUTSIDE;
        line.requestEnded();
    }
}
