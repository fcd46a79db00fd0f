package gateway.wire.http2;

/// A bucket of tokens that fills with time: how often a peer may do what costs it little and the gateway more.
public final class TokenBucket {
    private static final double NANOS = 1e9;

    private final int most;
    private final int perSecond;
    private double left;
    private long filledAt;

    /// @param most at once
    /// @param now [System#nanoTime]
    public TokenBucket(int most, int perSecond, long now) {
        this.most = most;
        this.perSecond = perSecond;
        this.left = most;
        this.filledAt = now;
    }

    /// `more` are allowed, by what was done for the peer.
    public void give(int more) {
        left = Math.min(most, left + more);
    }

    /// Whether one more is allowed.
    public boolean take(long now) {
        left = Math.min(most, left + (now - filledAt) / NANOS * perSecond);
        filledAt = now;
        if (left < 1) return false;
        left--;
        return true;
    }
}
