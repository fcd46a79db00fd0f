package gateway.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Cookies of a request (RFC 6265 §4.2), looked for one at a time.
final class RequestCookies {
    private RequestCookies() {}

    static Optional<String> first(Headers headers, String name) {
        List<String> lines = headers.all("Cookie");
        for (int i = 0; i < lines.size(); i++) {
            Optional<String> value = find(lines.get(i), name);
            if (value.isPresent()) return value;
        }
        return Optional.empty();
    }

    /// The names of all, each once, in order.
    static List<String> names(Headers headers) {
        var names = new LinkedHashSet<String>();
        for (String line : headers.all("Cookie")) {
            for (int from = 0; from < line.length(); ) {
                int semicolon = line.indexOf(';', from);
                int end = semicolon < 0 ? line.length() : semicolon;
                int equals = line.indexOf('=', from);
                if (equals > from && equals < end)
                    names.add(line.substring(from, equals).stripLeading());
                from = end + 1;
            }
        }
        return List.copyOf(names);
    }

    private static Optional<String> find(String line, String name) {
        for (int from = 0; from < line.length(); ) {
            int semicolon = line.indexOf(';', from);
            int end = semicolon < 0 ? line.length() : semicolon;
            while (from < end && line.charAt(from) == ' ') from++;
            int equals = line.indexOf('=', from);
            if (equals > 0 && equals < end && equals - from == name.length() && line.startsWith(name, from)) {
                return Optional.of(unquoted(line.substring(equals + 1, end).trim()));
            }
            from = end + 1;
        }
        return Optional.empty();
    }

    private static String unquoted(String value) {
        int last = value.length() - 1;
        return last > 0 && value.charAt(0) == '"' && value.charAt(last) == '"' ? value.substring(1, last) : value;
    }
}
