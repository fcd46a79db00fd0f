package gateway.wire.http2;

/// How many streams may be open at once on one connection (RFC 9113 §5.1.2).
final class StreamLimit {
    private static final int MOST_UNTOLD = 100; // until the settings come: no server should allow fewer (§6.5.2)
    private static final int MOST = 1000; // whatever the server allows

    private int most = MOST_UNTOLD;
    private boolean told;

    int most() {
        return most;
    }

    /// The server says how many.
    void tell(long allowed) {
        most = (int) Math.min(MOST, allowed);
        told = true;
    }

    /// The server's settings have come: when they say nothing of it, there is no limit of the server's.
    void settled() {
        if (!told) most = MOST;
    }
}
