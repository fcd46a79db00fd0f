package gateway.policies.message.jose;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Media types as `cty` and `typ` write them: `application/` may be left out (RFC 7515 §4.1.9).
final class MediaName {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9!#$&^_.+-]{1,127}(/[A-Za-z0-9!#$&^_.+-]{1,127})?");

    /// Of what [#of] takes that leaves nothing out.
    static final Pattern WHOLE = Pattern.compile("[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}");

    private static final String USUAL = "application/";
    private static final String JWT = "application/jwt";

    private MediaName() {}

    /// The whole media type; empty for what is none.
    static Optional<String> of(String text) {
        if (!PLAIN.matcher(text).matches()) return Optional.empty();
        return Optional.of(text.indexOf('/') < 0 ? USUAL + text.toLowerCase(Locale.ROOT) : text);
    }

    /// As a header writes it; empty for a type with parameters, or none.
    ///
    /// @param type a field value such as `application/json`
    static Optional<String> shortened(String type) {
        String plain = type.strip();
        if (!PLAIN.matcher(plain).matches() || plain.indexOf('/') < 0) return Optional.empty();
        if (plain.equalsIgnoreCase(JWT)) return Optional.of("JWT"); // in capitals, RFC 7519 §5.2
        boolean usual = plain.regionMatches(true, 0, USUAL, 0, USUAL.length());
        return Optional.of(usual ? plain.substring(USUAL.length()) : plain);
    }
}
