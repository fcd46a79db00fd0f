package gateway.service;

/// What a counter said to one charge.
public sealed interface Permit {
    /// The limit that was counted against.
    long limit();

    /// Requests left in this window.
    long remaining();

    /// Nanoseconds until the window is new or the bucket full.
    long resetNanos();

    record Granted(long limit, long remaining, long resetNanos) implements Permit {}

    /// @param remaining for a charge that counts as several there may be some, though too few
    /// @param retryNanos until the same charge may be granted; meaningless for one larger than its limit
    record Denied(long limit, long remaining, long resetNanos, long retryNanos) implements Permit {}
}
