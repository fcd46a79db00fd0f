package gateway.app.settings;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// One thing an operator can set.
///
/// @param name in the file, camelCase
/// @param meaning one line for people
/// @param fallback what stands when nobody sets it; may follow from settings before it in the table
/// @param format how its text is read
/// @param shown how its text is printed; hides secrets
public record Setting<T>(
        String name,
        String meaning,
        Function<SettingsReader, String> fallback,
        Format<T> format,
        Function<String, String> shown) {
    private static final Pattern HUMP = Pattern.compile("(?=[A-Z])");

    /// @param expected what a text must be, as in "expected host:port, got …"
    public record Format<T>(String expected, Function<String, Optional<T>> read) {}

    public static <T> Setting<T> of(String name, String fallback, String meaning, Format<T> format) {
        return new Setting<>(name, meaning, reader -> fallback, format, Function.identity());
    }

    public Setting<T> fallingBackTo(Function<SettingsReader, String> other) {
        return new Setting<>(name, meaning, other, format, shown);
    }

    public Setting<T> shownAs(Function<String, String> other) {
        return new Setting<>(name, meaning, fallback, format, other);
    }

    /// Its environment variable: `adminListen` is `GATEWAY_ADMIN_LISTEN`.
    public String variable() {
        return "GATEWAY_" + HUMP.matcher(name).replaceAll("_").toUpperCase(Locale.ROOT);
    }
}
