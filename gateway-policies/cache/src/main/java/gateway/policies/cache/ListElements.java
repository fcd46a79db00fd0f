package gateway.policies.cache;

import java.util.ArrayList;
import java.util.List;

/// The elements of a field that is a list (RFC 9110 §5.6.1), where commas within quotes part nothing.
final class ListElements {
    private ListElements() {}

    /// Where the element ends that begins at `from`: at a comma, or at the end.
    static int end(String line, int from) {
        boolean quoted = false;
        for (int at = from; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '"') quoted = !quoted;
            else if (c == '\\' && quoted) at++;
            else if (c == ',' && !quoted) return at;
        }
        return line.length();
    }

    /// All that are not empty, of all lines.
    static List<String> of(List<String> lines) {
        if (lines.isEmpty()) return List.of();
        var all = new ArrayList<String>();
        for (String line : lines) {
            for (int at = 0; at < line.length(); ) {
                int end = end(line, at);
                String element = line.substring(at, end).strip();
                if (!element.isEmpty()) all.add(element);
                at = end + 1;
            }
        }
        return all;
    }

    /// What stands in a quoted string, or the text itself.
    static String unquoted(String text) {
        String plain = text.strip();
        boolean quoted = plain.length() >= 2 && plain.startsWith("\"") && plain.endsWith("\"");
        return quoted ? plain.substring(1, plain.length() - 1).strip() : plain;
    }
}
