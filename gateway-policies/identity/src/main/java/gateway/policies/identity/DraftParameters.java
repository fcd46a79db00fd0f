package gateway.policies.identity;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What stands behind `Signature` in the draft's `Authorization`: `keyId="…",headers="…"`.
///
/// @param values by name in lower case
record DraftParameters(Map<String, String> values) {
    private static final int LONGEST = 8_192;
    private static final Set<String> NAMES = Set.of("keyid", "algorithm", "headers", "signature", "created", "expires");
    private static final Set<String> NUMBERS = Set.of("created", "expires");

    DraftParameters {
        values = Map.copyOf(values);
    }

    /// Each once, none that is unknown; texts in quotes without any within, numbers without.
    ///
    /// @throws BadSignatureException when they are none
    static DraftParameters parse(String text) {
        if (text.length() > LONGEST) throw malformed();
        var values = new LinkedHashMap<String, String>();
        int at = 0;
        while (true) {
            at = behindBlanks(text, at);
            int equal = text.indexOf('=', at);
            if (equal < 0) throw malformed();
            String name = text.substring(at, equal).toLowerCase(Locale.ROOT);
            boolean number = NUMBERS.contains(name);
            int end = number ? endOfNumber(text, equal + 1) : endOfText(text, equal + 1);
            String value = number ? text.substring(equal + 1, end) : text.substring(equal + 2, end - 1);
            if (!NAMES.contains(name) || values.put(name, value) != null) throw malformed();
            at = behindBlanks(text, end);
            if (at == text.length()) return new DraftParameters(values);
            if (text.charAt(at++) != ',') throw malformed();
        }
    }

    private static int behindBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == ' ') at++;
        return at;
    }

    private static int endOfNumber(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
        if (at == from || at - from > 12) throw malformed();
        return at;
    }

    /// Behind the second quote.
    private static int endOfText(String text, int from) {
        if (from >= text.length() || text.charAt(from) != '"') throw malformed();
        for (int at = from + 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') return at + 1;
            if (c < ' ' || c > '~' || c == '\\') throw malformed();
        }
        throw malformed();
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    private static BadSignatureException malformed() {
        return new BadSignatureException(SignatureFlaw.MALFORMED);
    }
}
