package gateway.config;

import java.time.Duration;
import java.util.Optional;

/// When an upstream as a whole is left alone for a while.
///
/// @param failurePercent of the window's requests that open it: no answer, or 5xx
/// @param slowCall from which time to the response head a request counts as slow; empty: none does
/// @param slowPercent of the window's requests that open it by being slow
/// @param window that is looked back on
/// @param minRequests in the window before it may open
/// @param open how long it stays open
/// @param probes requests let through afterwards, all of which must succeed to close it
public record CircuitBreakerDefinition(
        int failurePercent,
        Optional<Duration> slowCall,
        int slowPercent,
        Duration window,
        int minRequests,
        Duration open,
        int probes) {}
