package gateway.config;

import java.time.Duration;

/// When a target that fails requests is left out for a while (Envoy's outlier detection).
///
/// @param failures in a row that eject it
/// @param serverErrors whether answers with 5xx are failures too, besides no answer at all
/// @param time out at first; each further ejection takes once more as long
/// @param maxTime longest time out
/// @param maxPercent of an upstream's targets that may be out by ejection at once, rounded down
public record EjectionDefinition(int failures, boolean serverErrors, Duration time, Duration maxTime, int maxPercent) {}
