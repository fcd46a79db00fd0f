package gateway.app.proxy;

import java.util.List;
import java.util.Locale;

/// Message heads as text.
public final class Http {
    private Http() {}

    public static int contentLength(String head) {
        return Integer.parseInt(only(head, "Content-Length"));
    }

    /// A head of these lines.
    public static String head(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    /// The values of field `name` in `head`, one for each line.
    public static List<String> all(String head, String name) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                .map(line -> line.substring(name.length() + 1).trim())
                .toList();
    }

    public static String only(String head, String name) {
        List<String> values = all(head, name);
        if (values.size() != 1) throw new AssertionError(name + " stands " + values.size() + " times in " + head);
        return values.getFirst();
    }

    /// The first line.
    public static String start(String head) {
        return head.substring(0, head.indexOf("\r\n"));
    }

    public static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }
}
