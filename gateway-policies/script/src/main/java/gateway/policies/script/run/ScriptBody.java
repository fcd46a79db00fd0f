package gateway.policies.script.run;

/// What a script reads of bodies.
public enum ScriptBody {
    NONE,
    TEXT,
    JSON
}
