package gateway.app.commands;

/// A command that has no use for a settings file. It refuses one: who gives it would take it for heeded.
interface WithoutSettings {
    /// Why, or what to give in its place; ends the sentence "takes no settings file: ".
    String insteadOfSettings();
}
