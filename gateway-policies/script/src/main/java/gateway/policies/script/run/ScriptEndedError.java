package gateway.policies.script.run;

/// A script has ended its run by `stop` or `fail`. An error, so that it cannot catch what it has ended.
public final class ScriptEndedError extends Error {
    private static final long serialVersionUID = 1L;

    private final transient ScriptEnd end;

    public ScriptEndedError(ScriptEnd end) {
        super("the script has ended", null, false, false);
        this.end = end;
    }

    public ScriptEnd end() {
        return end;
    }
}
