package gateway.policies.script;

/// What a script is written in.
enum ScriptLanguage {
    JAVASCRIPT,
    GROOVY
}
