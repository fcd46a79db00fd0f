package gateway.app.metrics;

import java.time.Duration;
import java.util.Optional;

/// What is measured and where it goes besides the admin plane.
///
/// @param apis how many APIs stand under their own id
/// @param pinned whether to ask Java Flight Recorder for pinned threads
/// @param interval how often receivers are told
/// @param otlp empty: nobody is told by OTLP
/// @param statsd empty: nobody is told by StatsD
public record MetricsSettings(
        String node,
        int apis,
        boolean pinned,
        Duration interval,
        Optional<OtlpReceiver> otlp,
        Optional<StatsdReceiver> statsd) {
    /// Only the admin plane tells.
    public static final MetricsSettings DEFAULT =
            new MetricsSettings("", 100, false, Duration.ofMinutes(1), Optional.empty(), Optional.empty());
}
