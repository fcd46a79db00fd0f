package gateway.app.proxy;

import java.time.Duration;

/// How many WebSockets may be open and how long they may stand still.
///
/// @param most open at once; 0: handshakes are served as plain requests
/// @param idle how long nothing may move on one, in either direction
public record WebSocketLimits(int most, Duration idle) {
    /// 10,000 for ten minutes.
    public static final WebSocketLimits USUAL = new WebSocketLimits(10_000, Duration.ofMinutes(10));
}
