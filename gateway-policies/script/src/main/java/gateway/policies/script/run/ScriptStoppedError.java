package gateway.policies.script.run;

/// A script is at its end, whatever it would do next. An error, so that no script takes it for one of its own.
public final class ScriptStoppedError extends Error {
    private static final long serialVersionUID = 1L;

    private final StopReason reason;

    public ScriptStoppedError(StopReason reason) {
        super("the script was stopped: " + reason, null, false, false);
        this.reason = reason;
    }

    public StopReason reason() {
        return reason;
    }
}
