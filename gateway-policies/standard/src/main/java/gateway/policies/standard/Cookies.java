package gateway.policies.standard;

import gateway.http.Headers;
import java.util.List;
import java.util.StringJoiner;

/// The `Cookie` header as a list of pairs (RFC 6265 §4.2.1).
final class Cookies {
    private Cookies() {}

    /// Takes every cookie called `name` out of the request; the others keep their order.
    static void remove(Headers headers, String name) {
        List<String> lines = headers.all("Cookie");
        if (lines.isEmpty()) return;
        var kept = new StringJoiner("; ");
        boolean found = false;
        for (String line : lines) {
            for (String pair : line.split(";", -1)) {
                String stripped = pair.strip();
                boolean named = isNamed(stripped, name);
                found |= named;
                if (!named && !stripped.isEmpty()) kept.add(stripped);
            }
        }
        if (!found) return;
        if (kept.length() == 0) headers.remove("Cookie");
        else headers.set("Cookie", kept.toString());
    }

    private static boolean isNamed(String pair, String name) {
        int sign = pair.indexOf('=');
        return (sign < 0 ? pair : pair.substring(0, sign)).strip().equals(name);
    }
}
