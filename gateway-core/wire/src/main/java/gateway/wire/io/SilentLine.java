package gateway.wire.io;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/// Connections of one IO thread that wait for their clients, the eldest first, as which they end for newcomers when
/// there is no room. Used on that thread alone.
public final class SilentLine {
    /// So many newcomers may have been taken by a thread since it went to its sockets: they have not been heard yet.
    public static final int NEWCOMERS_UNHEARD = 16;

    private static final int MOST_LOOKS = 8; // for one newcomer

    private final int spared;
    private final SequencedSet<Silent> waiting = new LinkedHashSet<>();

    /// One that waits for its client.
    public interface Silent {
        /// Whether something of its client has come that waits to be read: then it does not end, and is the last to.
        boolean awaitsTurn();

        /// Ends the connection, unless what has come of its client meanwhile is enough to go on with. Answers whether
        /// its place is free. It is in line no more.
        boolean makeRoom();
    }

    /// @param spared so many that came last never make room
    public SilentLine(int spared) {
        this.spared = spared;
    }

    /// `connection` comes last; again: no change.
    public void join(Silent connection) {
        waiting.add(connection);
    }

    /// `connection` waits no more; again: no change.
    public void leave(Silent connection) {
        waiting.remove(connection);
    }

    /// Whether nobody could make room, whatever has come of him.
    public boolean isSpared() {
        return waiting.size() <= spared;
    }

    /// Ends the first; answers whether one has gone.
    public boolean makeRoom() {
        for (int i = 0; i < MOST_LOOKS && waiting.size() > spared; i++) {
            Silent first = waiting.removeFirst();
            if (first.awaitsTurn()) waiting.addLast(first);
            else if (first.makeRoom()) return true;
        }
        return false;
    }
}
