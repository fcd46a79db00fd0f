package gateway.wire.client;

/// How long an upstream may take, in nanoseconds.
///
/// @param connect until a connection stands
/// @param response from the last byte sent to the response head
/// @param head from the begin to the response head, connecting included; [Long#MAX_VALUE]: only the others hold
/// @param total for the whole exchange, body included
public record Timeouts(long connect, long response, long head, long total) {
    /// When a connection must stand at the latest, by [System#nanoTime]; sooner when the other limits end sooner.
    ///
    /// @param startedAt when the call began
    long connectingUntil(long startedAt, long now) {
        return now + Math.min(connect, Math.min(head, total) - (now - startedAt));
    }

    /// With a shorter total.
    Timeouts within(long most) {
        return new Timeouts(connect, response, head, most);
    }

    /// For one of several attempts.
    ///
    /// @param left of the total
    public Timeouts attempt(long headWithin, long left) {
        return new Timeouts(connect, response, headWithin, left);
    }
}
