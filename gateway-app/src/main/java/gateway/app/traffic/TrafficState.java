package gateway.app.traffic;

/// How the traffic log is, for the readiness answer.
///
/// @param reason in words; empty when it is well
public record TrafficState(Condition condition, String reason) {
    public enum Condition {
        /// The index template is not in place yet.
        STARTING,
        SHIPPING,
        /// Records go to disk, or to nowhere when that is full.
        AWAY
    }
}
