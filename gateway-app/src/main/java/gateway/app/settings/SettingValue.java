package gateway.app.settings;

/// A setting as it stands, for people: secrets hidden.
///
/// @param value and `fallback` are empty text when there is none
/// @param origin `default`, the file's name or the environment variable
public record SettingValue(
        String name, String variable, String value, String fallback, String origin, String meaning) {}
