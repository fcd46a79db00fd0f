package gateway.wire.io;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/// Connections of one IO thread that wait for their clients, the eldest first, as which they end for newcomers when
/// there is no room. Used on that thread alone.
public final class SilentLine {
    /// So many newcomers a thread takes before it goes to its sockets: they have not been heard yet.
    public static final int NEWCOMERS_A_TURN = 16;

    private static final int MOST_LOOKS = 8; // for one newcomer

    private final int spared;
    private final SequencedSet<Silent> waiting = new LinkedHashSet<>();

    /// One that waits for its client.
    public interface Silent {
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

    /// Ends the first; answers whether one has gone.
    public boolean makeRoom() {
        for (int i = 0; i < MOST_LOOKS && waiting.size() > spared; i++) {
            if (waiting.removeFirst().makeRoom()) return true;
        }
        return false;
    }
}
