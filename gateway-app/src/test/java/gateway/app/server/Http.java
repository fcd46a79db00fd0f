package gateway.app.server;

import java.util.List;
import java.util.Locale;

/// Message heads as text.
final class Http {
    private Http() {}

    static int contentLength(String head) {
        return Integer.parseInt(only(head, "Content-Length"));
    }

    /// A head of these lines.
    static String head(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    /// The values of field `name` in `head`, one for each line.
    static List<String> all(String head, String name) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                .map(line -> line.substring(name.length() + 1).trim())
                .toList();
    }

    static String only(String head, String name) {
        List<String> values = all(head, name);
        if (values.size() != 1) throw new AssertionError(name + " stands " + values.size() + " times in " + head);
        return values.getFirst();
    }

    /// The first line.
    static String start(String head) {
        return head.substring(0, head.indexOf("\r\n"));
    }

    static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }
}
