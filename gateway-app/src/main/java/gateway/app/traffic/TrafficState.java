package gateway.app.traffic;

/// How the traffic log is, for the readiness answer.
///
/// @param reason in words; empty when it is well
public record TrafficState(Condition condition, String reason) {
    /// Whether there is something to look into.
    public boolean isTroubled() {
        return condition == Condition.AWAY || (condition == Condition.SHIPPING && !reason.isEmpty());
    }

    public enum Condition {
        /// The index template is not in place yet.
        STARTING,
        SHIPPING,
        /// Records go to disk, or to nowhere when that is full.
        AWAY
    }
}
