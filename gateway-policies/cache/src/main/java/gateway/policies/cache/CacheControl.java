package gateway.policies.cache;

import gateway.http.Headers;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/// The directives of a `Cache-Control` field (RFC 9111 §5.2), names in lower case. What cannot be read is taken for the
/// more careful thing: a lifetime that is no number is none, and of two the shorter counts.
final class CacheControl {
    static final CacheControl NONE = new CacheControl(Map.of());

    /// Longer ones are as good as this (RFC 9111 §1.2.2).
    private static final long LONGEST = Integer.MAX_VALUE;

    private static final int MOST_DIGITS = 10;

    private final Map<String, String> arguments; // by directive; empty text for those without

    private CacheControl(Map<String, String> arguments) {
        this.arguments = arguments;
    }

    /// Of all lines of the field.
    static CacheControl of(List<String> lines) {
        if (lines.isEmpty()) return NONE;
        var arguments = new HashMap<String, String>(8);
        for (String line : lines) read(line, arguments);
        return arguments.isEmpty() ? NONE : new CacheControl(arguments);
    }

    /// What an answer says to this cache: `CDN-Cache-Control`, where it is given, stands for the others (RFC 9213).
    static CacheControl ofAnswer(Headers fields) {
        CacheControl targeted = of(fields.all("CDN-Cache-Control"));
        return targeted.arguments.isEmpty() ? of(fields.all("Cache-Control")) : targeted;
    }

    /// What a client asks for; `Pragma: no-cache` counts where it says nothing else (RFC 9111 §5.4).
    static CacheControl ofRequest(Headers fields) {
        List<String> lines = fields.all("Cache-Control");
        if (!lines.isEmpty()) return of(lines);
        List<String> pragma = fields.all("Pragma");
        return pragma.isEmpty() ? NONE : of(pragma);
    }

    private static void read(String line, Map<String, String> arguments) {
        for (int at = 0; at < line.length(); ) {
            int end = ListElements.end(line, at);
            String directive = line.substring(at, end);
            at = end + 1;
            int equals = directive.indexOf('=');
            String name = (equals < 0 ? directive : directive.substring(0, equals))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            if (name.isEmpty()) continue;
            arguments.merge(
                    name,
                    equals < 0 ? "" : ListElements.unquoted(directive.substring(equals + 1)),
                    CacheControl::careful);
        }
    }

    /// Of two arguments of one directive.
    private static String careful(String one, String other) {
        return seconds(one) <= seconds(other) ? one : other;
    }

    boolean has(Directive directive) {
        return arguments.containsKey(directive.word());
    }

    /// The seconds that `directive` is given; 0 where they cannot be read; empty when it is not there.
    OptionalLong seconds(Directive directive) {
        String argument = arguments.get(directive.word());
        return argument == null ? OptionalLong.empty() : OptionalLong.of(seconds(argument));
    }

    /// Whether `directive` is there without an argument.
    boolean isBare(Directive directive) {
        return "".equals(arguments.get(directive.word()));
    }

    private static long seconds(String text) {
        if (text.isEmpty()) return 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') return 0;
        }
        return text.length() > MOST_DIGITS ? LONGEST : Math.min(LONGEST, Long.parseLong(text));
    }

    @Override
    public String toString() {
        return arguments.toString();
    }
}
