package gateway.wire.tls;

import gateway.wire.io.SilentConnections;
import gateway.wire.io.SilentLine;

/// The handshakes with clients of one IO thread. Each of them waits for its client: what the gateway has to do it does
/// at once. Where there is no room for a newcomer the oldest go first, however many bytes have trickled in since they
/// began; one whose client has answered meanwhile is finished and stays. Used on that thread alone.
final class Handshakes {
    private final SilentConnections silent;
    private final SilentLine withEngine = new SilentLine(SilentLine.NEWCOMERS_UNHEARD);

    /// @param silent whom all of them join
    Handshakes(SilentConnections silent) {
        this.silent = silent;
    }

    /// `connection` waits for its client, be it once more.
    void waiting(TlsConnection connection, boolean hasEngine) {
        silent.begun(connection);
        if (hasEngine) withEngine.join(connection);
    }

    /// `connection` shakes hands no more; again: no change.
    void over(TlsConnection connection) {
        silent.over(connection);
        withEngine.leave(connection);
    }

    /// Ends the oldest of those that have an engine; answers whether one has gone.
    boolean displaceEngine() {
        return withEngine.makeRoom();
    }
}
