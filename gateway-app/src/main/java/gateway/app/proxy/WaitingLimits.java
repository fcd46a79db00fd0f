package gateway.app.proxy;

import java.time.Duration;

/// How many requests may wait for a place among those in flight, and how long.
///
/// @param most one more is answered 503 at once
/// @param patience what has waited longer is answered 503
public record WaitingLimits(int most, Duration patience) {
    /// Nobody waits.
    public static final WaitingLimits NONE = new WaitingLimits(0, Duration.ZERO);
}
