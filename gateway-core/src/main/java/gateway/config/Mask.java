package gateway.config;

import gateway.http.Headers;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/// Names whose values are recorded as `***`.
///
/// @param headers without regard to case; credentials are always among them
/// @param parameters names of query parameters, percent-decoded
public record Mask(Set<String> headers, Set<String> parameters) {
    private static final List<String> CREDENTIALS =
            List.of("Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key");
    private static final String HIDDEN = "***";

    /// Hides credentials in their usual headers.
    public static final Mask USUAL = new Mask(Set.of(), Set.of());

    public Mask {
        var names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(CREDENTIALS);
        names.addAll(headers);
        headers = Collections.unmodifiableSet(names);
        parameters = Set.copyOf(parameters);
    }

    /// Names and values of `found` in turn.
    List<String> headers(Headers found) {
        var lines = new ArrayList<String>();
        found.forEach((name, value) -> {
            lines.add(name);
            lines.add(headers.contains(name) ? HIDDEN : value);
        });
        return lines;
    }

    /// `query` with the values of masked parameters hidden; all else stays as sent.
    String query(String query) {
        if (parameters.isEmpty() || query.isEmpty()) return query;
        var masked = new StringJoiner("&");
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            boolean hide = equals >= 0 && parameters.contains(decoded(pair.substring(0, equals)));
            masked.add(hide ? pair.substring(0, equals + 1) + HIDDEN : pair);
        }
        return masked.toString();
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return name; // a broken escape matches no masked name
        }
    }
}
