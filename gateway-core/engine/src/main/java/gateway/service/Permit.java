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

    /// @param retryNanos until one request may be granted
    record Denied(long limit, long remaining, long resetNanos, long retryNanos) implements Permit {}
}
