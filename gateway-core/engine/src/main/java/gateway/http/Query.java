package gateway.http;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A query string as sent: searched and edited in place, never taken apart as a whole. Names are compared
/// percent-decoded, with `+` for a space.
public final class Query {
    private Query() {}

    /// Whether every `%` begins an escape of two hexadecimal digits (RFC 3986 §2.1).
    public static boolean isWellEscaped(String query) {
        int last = query.length() - 3; // where one may begin
        for (int at = query.indexOf('%'); at >= 0; at = query.indexOf('%', at + 3)) {
            if (at > last) return false;
            if (PathOctets.hexDigit(query.charAt(at + 1)) < 0 || PathOctets.hexDigit(query.charAt(at + 2)) < 0)
                return false;
        }
        return true;
    }

    /// The first value of `name`, decoded; empty text for a name without `=`.
    public static Optional<String> first(String query, String name) {
        int at = find(query, name, 0);
        if (at < 0) return Optional.empty();
        int end = end(query, at);
        int nameEnd = nameEnd(query, at, end);
        return Optional.of(nameEnd == end ? "" : decode(query.substring(nameEnd + 1, end)));
    }

    /// The names of all parameters, decoded, each once, in order.
    public static List<String> names(String query) {
        var names = new LinkedHashSet<String>();
        for (int from = 0; from < query.length(); ) {
            int end = end(query, from);
            int nameEnd = nameEnd(query, from, end);
            if (end > from) names.add(decode(query.substring(from, nameEnd)));
            from = end + 1;
        }
        return List.copyOf(names);
    }

    /// `query` without the parameters called `name`; the others stay as they are, byte for byte.
    public static String without(String query, String name) {
        return filtered(query, (from, end) -> !isNamed(query, from, end, name));
    }

    /// `query` without the parameters whose names are not such, and without those that have none; the others stay as
    /// they are, byte for byte.
    public static String keeping(String query, Predicate<String> names) {
        return filtered(query, (from, end) -> from < end && names.test(decode(query.substring(from, end))));
    }

    /// Whether a parameter stays, by where its name stands.
    private interface NameFilter {
        boolean keeps(int from, int end);
    }

    private static String filtered(String query, NameFilter filter) {
        var kept = new StringBuilder(query.length());
        for (int from = 0; from < query.length(); ) {
            int end = end(query, from);
            if (filter.keeps(from, nameEnd(query, from, end))) {
                if (!kept.isEmpty()) kept.append('&');
                kept.append(query, from, end);
            }
            from = end + 1;
        }
        return kept.toString();
    }

    /// Where the next parameter called `name` begins, from `from` on, where one begins; -1 when there is none.
    public static int find(String query, String name, int from) {
        for (int begin = from; begin < query.length(); ) {
            int end = end(query, begin);
            if (isNamed(query, begin, nameEnd(query, begin, end), name)) return begin;
            begin = end + 1;
        }
        return -1;
    }

    /// Where the parameter ends that begins at `from`.
    public static int end(String query, int from) {
        int end = query.indexOf('&', from);
        return end < 0 ? query.length() : end;
    }

    private static int nameEnd(String query, int from, int end) {
        int equals = query.indexOf('=', from);
        return equals < 0 || equals > end ? end : equals;
    }

    private static boolean isNamed(String query, int from, int end, String name) {
        for (int i = from; i < end; i++) {
            char c = query.charAt(i);
            if (c == '%' || c == '+') return decode(query.substring(from, end)).equals(name);
        }
        return end - from == name.length() && query.startsWith(name, from);
    }

    /// As it stands in a query: all but unreserved characters (RFC 3986 §2.3) percent-encoded.
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // a stray % stands for itself
        }
    }
}
