package gateway.app.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A query string as sent: searched and edited in place, never taken apart as a whole.
final class Query {
    private Query() {}

    /// The first value of `name`, decoded; empty text for a name without `=`.
    static Optional<String> first(String query, String name) {
        for (int from = 0; from < query.length(); ) {
            int end = end(query, from);
            int equals = query.indexOf('=', from);
            int nameEnd = equals < 0 || equals > end ? end : equals;
            if (isNamed(query, from, nameEnd, name)) {
                return Optional.of(nameEnd == end ? "" : decode(query.substring(nameEnd + 1, end)));
            }
            from = end + 1;
        }
        return Optional.empty();
    }

    /// `query` without the parameters called `name`; the others stay as they are, byte for byte.
    static String without(String query, String name) {
        var kept = new StringBuilder(query.length());
        for (int from = 0; from < query.length(); ) {
            int end = end(query, from);
            int equals = query.indexOf('=', from);
            int nameEnd = equals < 0 || equals > end ? end : equals;
            if (!isNamed(query, from, nameEnd, name)) {
                if (!kept.isEmpty()) kept.append('&');
                kept.append(query, from, end);
            }
            from = end + 1;
        }
        return kept.toString();
    }

    private static int end(String query, int from) {
        int end = query.indexOf('&', from);
        return end < 0 ? query.length() : end;
    }

    private static boolean isNamed(String query, int from, int end, String name) {
        for (int i = from; i < end; i++) {
            char c = query.charAt(i);
            if (c == '%' || c == '+') return decode(query.substring(from, end)).equals(name);
        }
        return end - from == name.length() && query.startsWith(name, from);
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // a stray % stands for itself
        }
    }
}
