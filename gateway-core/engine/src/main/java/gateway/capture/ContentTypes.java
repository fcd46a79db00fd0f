package gateway.capture;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Media types whose bodies may be captured: `application/json`, `text/*`, `application/*+json` or `*/*`.
///
/// @param patterns in lower case
public record ContentTypes(List<String> patterns) {
    /// What is text as a rule.
    public static final ContentTypes TEXT = new ContentTypes(List.of(
            "application/json",
            "application/*+json",
            "application/x-ndjson",
            "application/xml",
            "application/*+xml",
            "application/x-www-form-urlencoded",
            "text/*"));

    private static final String TOKEN = "[A-Za-z0-9!#$&^_.-]+";
    /// Of what may stand in the list.
    public static final Pattern FORM =
            Pattern.compile("\\*/\\*|" + TOKEN + "/(\\*(\\+" + TOKEN + ")?|" + TOKEN + "(\\+" + TOKEN + ")*)");

    public ContentTypes {
        patterns = patterns.stream()
                .map(pattern -> pattern.toLowerCase(Locale.ROOT))
                .toList();
    }

    /// Whether `text` may stand in the list.
    public static boolean isPattern(String text) {
        return FORM.matcher(text).matches();
    }

    /// Whether a body of this `Content-Type` is among them; one without is only where everything is.
    boolean admits(String contentType) {
        String type = mediaType(contentType);
        for (String pattern : patterns) {
            if (matches(pattern, type)) return true;
        }
        return false;
    }

    /// A `Content-Type` without its parameters, in lower case.
    static String mediaType(String contentType) {
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    private static boolean matches(String pattern, String type) {
        if (pattern.equals("*/*")) return true;
        int star = pattern.indexOf('*');
        if (star < 0) return pattern.equals(type);
        String suffix = pattern.substring(star + 1);
        return type.length() > star + suffix.length()
                && type.startsWith(pattern.substring(0, star))
                && type.endsWith(suffix);
    }
}
