package gateway.capture;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/// Names whose values are hidden in queries and forms (`application/x-www-form-urlencoded`).
///
/// Rather too much is hidden than too little, since servers read such texts differently: names count without regard to
/// case, `;` parts pairs as `&` does, and `name[…]` is `name`.
///
/// @param names percent-decoded
public record ParameterMask(Set<String> names) {
    public static final String HIDDEN = "***";
    public static final ParameterMask NOTHING = new ParameterMask(Set.of());

    public ParameterMask {
        var sorted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        sorted.addAll(names);
        names = Collections.unmodifiableSet(sorted);
    }

    public boolean hidesNothing() {
        return names.isEmpty();
    }

    /// `pairs` with the values of these names hidden; all else stays as sent. A hidden value ends at `&` only: to a
    /// server that does not know `;` all up to there is the value.
    public String mask(String pairs) {
        if (names.isEmpty() || pairs.isEmpty()) return pairs;
        var masked = new StringBuilder(pairs.length());
        int shown = 0; // all before it is written, or hidden
        int start = 0;
        while (start < pairs.length()) {
            int end = endOfPair(pairs, start);
            int equals = pairs.indexOf('=', start);
            if (equals >= 0 && equals < end && hides(pairs.substring(start, equals))) {
                masked.append(pairs, shown, equals + 1).append(HIDDEN);
                end = endOfValue(pairs, equals);
                shown = end;
            }
            start = end + 1;
        }
        return masked.append(pairs, shown, pairs.length()).toString();
    }

    private boolean hides(String raw) {
        String name = decoded(raw).strip();
        int bracket = name.indexOf('[');
        return names.contains(name) || (bracket > 0 && names.contains(name.substring(0, bracket)));
    }

    private static int endOfPair(String pairs, int start) {
        for (int i = start; i < pairs.length(); i++) {
            if (pairs.charAt(i) == '&' || pairs.charAt(i) == ';') return i;
        }
        return pairs.length();
    }

    private static int endOfValue(String pairs, int start) {
        int end = pairs.indexOf('&', start);
        return end < 0 ? pairs.length() : end;
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return name; // a broken escape matches no masked name
        }
    }
}
