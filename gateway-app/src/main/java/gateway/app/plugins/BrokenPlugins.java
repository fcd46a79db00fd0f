package gateway.app.plugins;

/// What becomes of a start with a plugin that cannot be used.
public enum BrokenPlugins {
    /// The plugin is named in the log and left out; APIs that name its policies are left out, as those of any unknown
    /// policy are.
    SKIP,
    /// There is no start.
    REFUSE
}
