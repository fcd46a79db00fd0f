package gateway.app.trace;

/// What became of spans since the start: ended = exported + dropped + waiting.
///
/// @param ended those that found room or were dropped
/// @param exported those that the collector took
/// @param dropped those without room, and those that the collector did not take
public record SpanCounts(long ended, long exported, long dropped) {
    /// Those whose fate is open.
    public long waiting() {
        return Math.max(0, ended - exported - dropped);
    }
}
