package gateway.app.traffic;

import java.time.Duration;

/// How records are gathered and where they go.
///
/// @param node name of this gateway in the records
/// @param queue records that may wait to be encoded; one more is dropped. A sixteenth of the heap bounds them too
/// @param batchRecords records after which a batch is shipped
/// @param batchBytes bytes, uncompressed, after which a batch is shipped
/// @param flushAge longest time that a record waits for its batch to fill
/// @param closeTimeout longest time that closing waits for answers
public record TrafficSettings(
        String node,
        int queue,
        int batchRecords,
        int batchBytes,
        Duration flushAge,
        Duration closeTimeout,
        TrafficTarget target) {
    /// What is right unless somebody knows better.
    public static TrafficSettings of(String node, TrafficTarget target) {
        return new TrafficSettings(node, 65_536, 1_000, 1 << 20, Duration.ofSeconds(1), Duration.ofSeconds(10), target);
    }
}
