package gateway.wire.tls;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/// The handshakes with clients of one IO thread. Each of them waits for its client: what the gateway has to do it does
/// at once. Where there is no room for a newcomer the oldest go first, however many bytes have trickled in since they
/// began; one whose client has answered meanwhile is finished and stays. Used on that thread alone.
final class Handshakes {
    /// So many that began last are spared: a thread takes as many newcomers before it goes to its sockets.
    static final int SPARED = 16;

    private static final int MOST_LOOKS = 8; // for one newcomer

    private final SequencedSet<TlsConnection> all = new LinkedHashSet<>(); // the eldest first
    private final SequencedSet<TlsConnection> withEngine = new LinkedHashSet<>(); // those among them that have one

    /// `connection` waits for its client, be it once more.
    void waiting(TlsConnection connection, boolean hasEngine) {
        all.add(connection);
        if (hasEngine) withEngine.add(connection);
    }

    /// `connection` shakes hands no more; again: no change.
    void over(TlsConnection connection) {
        all.remove(connection);
        withEngine.remove(connection);
    }

    /// Ends the oldest; answers whether one has gone.
    boolean displace() {
        return displace(all);
    }

    /// Ends the oldest of those that have an engine; answers whether one has gone.
    boolean displaceEngine() {
        return displace(withEngine);
    }

    private static boolean displace(SequencedSet<TlsConnection> handshakes) {
        for (int i = 0; i < MOST_LOOKS && handshakes.size() > SPARED; i++) {
            if (handshakes.removeFirst().displace()) return true;
        }
        return false;
    }
}
