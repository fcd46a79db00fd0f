package gateway.app.settings;

/// Which languages scripts may be written in.
public enum Scripts {
    JAVASCRIPT,
    /// Groovy too.
    GROOVY
}
