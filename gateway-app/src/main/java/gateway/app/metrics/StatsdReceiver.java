package gateway.app.metrics;

/// Who takes metrics by StatsD over UDP.
public record StatsdReceiver(String host, int port, Dialect dialect) {
    /// How tags are written.
    public enum Dialect {
        /// `name:1|c|#tag:value` (DogStatsD; Telegraf, Vector and the OpenTelemetry collector take it).
        DATADOG,
        /// `name.tag.value:1|c` (the original, which has no tags).
        ETSY
    }
}
