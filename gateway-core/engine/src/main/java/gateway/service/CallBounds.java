package gateway.service;

import java.time.Duration;

/// How far a call may go.
///
/// @param timeout for the whole call, the answer's body included; late by 50 ms at most
/// @param mostBytes of the answer's body
public record CallBounds(Duration timeout, int mostBytes) {
    public CallBounds {
        if (timeout.isNegative() || timeout.isZero() || mostBytes < 0)
            throw new IllegalArgumentException("no room for an answer");
    }
}
