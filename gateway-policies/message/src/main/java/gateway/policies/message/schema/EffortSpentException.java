package gateway.policies.message.schema;

/// A value takes more evaluations than it may. Without a stack trace, since whoever sends it should not make one.
public final class EffortSpentException extends RuntimeException {
    EffortSpentException() {
        super("more evaluations than there may be", null, false, false);
    }
}
