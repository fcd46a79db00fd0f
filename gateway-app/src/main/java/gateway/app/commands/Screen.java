package gateway.app.commands;

import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/// What the demonstration shows: calls as they are typed and answers as they came, in colour on a terminal.
final class Screen {
    private static final List<String> TELLING = List.of(
            "content-type",
            "location",
            "etag",
            "www-authenticate",
            "retry-after",
            "x-ratelimit-limit",
            "x-ratelimit-remaining",
            "x-ratelimit-reset",
            "ratelimit-policy",
            "ratelimit",
            "x-request-id");
    private static final Map<Integer, String> REASONS =
            Map.of(200, " OK", 201, " Created", 401, " Unauthorized", 404, " Not Found", 429, " Too Many Requests");
    private final PrintWriter out;
    private final boolean coloured;

    Screen(PrintWriter out, boolean coloured) {
        this.out = out;
        this.coloured = coloured;
    }

    void say(String line) {
        out.println(line);
        out.flush();
    }

    void call(DemoCall call) {
        String times = call.times() == 1 ? "" : " (sent " + call.times() + " times; the last answer)";
        say("");
        say(paint("1", "# " + call.title() + times));
        say(paint("36", "$ " + call.asCurl()));
    }

    void answer(HttpResponse<String> response) {
        int status = response.statusCode();
        say(paint(status < 400 ? "32" : "33", "HTTP/1.1 " + status + REASONS.getOrDefault(status, "")));
        for (String name : TELLING) {
            response.headers().allValues(name).forEach(value -> say(name + ": " + value));
        }
        if (!response.body().isEmpty()) say("\n" + response.body().strip());
    }

    void wrong(DemoCall call, HttpResponse<String> response) {
        say(paint(
                "31",
                "unexpected: " + call.title() + " should be answered " + call.status() + " " + call.problem() + ", was "
                        + response.statusCode()));
    }

    private String paint(String colour, String text) {
        return coloured ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }
}
