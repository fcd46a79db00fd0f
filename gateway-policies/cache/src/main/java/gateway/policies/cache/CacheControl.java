package gateway.policies.cache;

import gateway.http.Headers;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// The directives of a `Cache-Control` field (RFC 9111 §5.2), names in lower case. What cannot be read is taken for the
/// more careful thing: a lifetime that is no number is none, and of two the shorter counts.
///
/// Two objects, whatever is said: an answer is kept for long, and each object of it costs.
final class CacheControl {
    /// Longer ones are as good as this (RFC 9111 §1.2.2).
    private static final int LONGEST = Integer.MAX_VALUE;

    private static final int MOST_DIGITS = 10;
    private static final Map<String, Directive> KNOWN =
            Arrays.stream(Directive.values()).collect(Collectors.toUnmodifiableMap(Directive::word, each -> each));
    private static final int[] NOTHING = {};

    static final CacheControl NONE = new CacheControl();

    private boolean says; // anything, known here or not
    private int given; // a bit for each directive
    private int bare; // those without an argument
    private int[] seconds = NOTHING; // by directive, as far as needed

    private CacheControl() {}

    /// Of all lines of the field.
    static CacheControl of(List<String> lines) {
        if (lines.isEmpty()) return NONE;
        var control = new CacheControl();
        for (String line : lines) control.read(line);
        return control.says ? control : NONE;
    }

    /// What an answer says to this cache: `CDN-Cache-Control`, where it is given, stands for the others (RFC 9213).
    static CacheControl ofAnswer(Headers fields) {
        CacheControl targeted = of(fields.all("CDN-Cache-Control"));
        return targeted.says ? targeted : of(fields.all("Cache-Control"));
    }

    /// What a client asks for; `Pragma: no-cache` counts where it says nothing else (RFC 9111 §5.4).
    static CacheControl ofRequest(Headers fields) {
        List<String> lines = fields.all("Cache-Control");
        if (!lines.isEmpty()) return of(lines);
        List<String> pragma = fields.all("Pragma");
        return pragma.isEmpty() ? NONE : of(pragma);
    }

    private void read(String line) {
        for (int at = 0; at < line.length(); ) {
            int end = ListElements.end(line, at);
            String directive = line.substring(at, end);
            at = end + 1;
            int equals = directive.indexOf('=');
            String name = (equals < 0 ? directive : directive.substring(0, equals))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            if (name.isEmpty()) continue;
            says = true;
            Directive known = KNOWN.get(name);
            if (known != null) take(known, equals < 0 ? "" : ListElements.unquoted(directive.substring(equals + 1)));
        }
    }

    /// Of two arguments of one directive the more careful one stays.
    private void take(Directive directive, String argument) {
        int at = directive.place();
        int told = number(argument);
        if (has(directive) && told(at) <= told) return;
        given |= 1 << at;
        if (argument.isEmpty()) bare |= 1 << at;
        else bare &= ~(1 << at);
        if (told == told(at)) return;
        if (at >= seconds.length) seconds = Arrays.copyOf(seconds, at + 1);
        seconds[at] = told;
    }

    private int told(int at) {
        return at < seconds.length ? seconds[at] : 0;
    }

    boolean has(Directive directive) {
        return (given >>> directive.place() & 1) != 0;
    }

    /// The seconds that `directive` is given; 0 where they cannot be read; empty when it is not there.
    OptionalLong seconds(Directive directive) {
        return has(directive) ? OptionalLong.of(told(directive.place())) : OptionalLong.empty();
    }

    /// Whether `directive` is there without an argument.
    boolean isBare(Directive directive) {
        return (bare >>> directive.place() & 1) != 0;
    }

    private static int number(String text) {
        if (text.isEmpty()) return 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') return 0;
        }
        return text.length() > MOST_DIGITS ? LONGEST : (int) Math.min(LONGEST, Long.parseLong(text));
    }

    @Override
    public String toString() {
        return Arrays.stream(Directive.values())
                .filter(this::has)
                .map(each -> each.word() + (isBare(each) ? "" : "=" + told(each.place())))
                .toList()
                .toString();
    }
}
