package gateway.policies.standard;

import gateway.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Predicate;

/// The `Cookie` header as a list of pairs (RFC 6265 §4.2.1).
public final class Cookies {
    private Cookies() {}

    /// The values of all cookies called `name`, without quotes around them.
    public static List<String> all(Headers headers, String name) {
        List<String> lines = headers.all("Cookie");
        if (lines.isEmpty()) return List.of();
        var found = new ArrayList<String>(1);
        for (String line : lines) {
            for (String pair : line.split(";", -1)) {
                String stripped = pair.strip();
                int sign = stripped.indexOf('=');
                if (sign >= 0 && isNamed(stripped, name))
                    found.add(unquoted(stripped.substring(sign + 1).strip()));
            }
        }
        return found;
    }

    private static String unquoted(String value) {
        int last = value.length() - 1;
        return last > 0 && value.charAt(0) == '"' && value.charAt(last) == '"' ? value.substring(1, last) : value;
    }

    /// Takes every cookie called `name` out of the request; the others keep their order.
    public static void remove(Headers headers, String name) {
        removeIf(headers, name::equals);
    }

    /// The same of all whose name is `unwanted`.
    public static void removeIf(Headers headers, Predicate<String> unwanted) {
        List<String> lines = headers.all("Cookie");
        if (lines.isEmpty()) return;
        var kept = new StringJoiner("; ");
        boolean found = false;
        for (String line : lines) {
            for (String pair : line.split(";", -1)) {
                String stripped = pair.strip();
                boolean named = unwanted.test(nameOf(stripped));
                found |= named;
                if (!named && !stripped.isEmpty()) kept.add(stripped);
            }
        }
        if (!found) return;
        if (kept.length() == 0) headers.remove("Cookie");
        else headers.set("Cookie", kept.toString());
    }

    private static boolean isNamed(String pair, String name) {
        return nameOf(pair).equals(name);
    }

    private static String nameOf(String pair) {
        int sign = pair.indexOf('=');
        return (sign < 0 ? pair : pair.substring(0, sign)).strip();
    }
}
