package gateway.policies.standard;

import gateway.http.Headers;
import java.util.ArrayList;
import java.util.List;
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

    /// The same of all whose name is `unwanted`. Nothing is copied where there is none.
    public static void removeIf(Headers headers, Predicate<String> unwanted) {
        List<String> lines = headers.all("Cookie");
        if (!isAny(lines, unwanted)) return;
        var kept = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) addOthers(lines.get(i), unwanted, kept);
        if (kept.isEmpty()) headers.remove("Cookie");
        else headers.set("Cookie", kept.toString());
    }

    private static boolean isAny(List<String> lines, Predicate<String> names) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            for (int from = 0; from <= line.length(); from = end(line, from) + 1) {
                if (names.test(nameOf(line, from, end(line, from)))) return true;
            }
        }
        return false;
    }

    private static void addOthers(String line, Predicate<String> unwanted, StringBuilder kept) {
        for (int from = 0; from <= line.length(); from = end(line, from) + 1) {
            int end = end(line, from);
            if (unwanted.test(nameOf(line, from, end))) continue;
            int first = skipBlanks(line, from, end);
            int last = dropBlanks(line, first, end);
            if (first == last) continue;
            if (!kept.isEmpty()) kept.append("; ");
            kept.append(line, first, last);
        }
    }

    /// Where the pair ends that stands at `from`.
    private static int end(String line, int from) {
        int semicolon = line.indexOf(';', from);
        return semicolon < 0 ? line.length() : semicolon;
    }

    private static int skipBlanks(String line, int from, int end) {
        int at = from;
        while (at < end && Character.isWhitespace(line.charAt(at))) at++;
        return at;
    }

    private static int dropBlanks(String line, int from, int end) {
        int at = end;
        while (at > from && Character.isWhitespace(line.charAt(at - 1))) at--;
        return at;
    }

    private static String nameOf(String line, int from, int end) {
        int sign = line.indexOf('=', from, end);
        int first = skipBlanks(line, from, end);
        return line.substring(first, dropBlanks(line, first, sign < 0 ? end : sign));
    }

    private static boolean isNamed(String pair, String name) {
        return nameOf(pair).equals(name);
    }

    private static String nameOf(String pair) {
        int sign = pair.indexOf('=');
        return (sign < 0 ? pair : pair.substring(0, sign)).strip();
    }
}
