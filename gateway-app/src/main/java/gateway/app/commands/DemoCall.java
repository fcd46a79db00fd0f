package gateway.app.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One request of the demonstration.
///
/// @param title what it shows
/// @param headers name and value in turn
/// @param times how often it is sent; the last answer counts
/// @param status the answer it must have
/// @param problem part of the answer's body, where the status alone does not say enough
record DemoCall(
        String title,
        String method,
        String url,
        List<String> headers,
        Optional<String> body,
        int times,
        int status,
        String problem) {
    DemoCall {
        headers = List.copyOf(headers);
    }

    static DemoCall get(String title, String url, int status) {
        return new DemoCall(title, "GET", url, List.of(), Optional.empty(), 1, status, "");
    }

    static DemoCall post(String title, String url, String body, int status) {
        return new DemoCall(
                title, "POST", url, List.of("Content-Type", "application/json"), Optional.of(body), 1, status, "");
    }

    DemoCall bearing(String credential) {
        var more = new ArrayList<>(headers);
        more.add("Authorization");
        more.add("Bearer " + credential);
        return new DemoCall(title, method, url, more, body, times, status, problem);
    }

    DemoCall times(int other) {
        return new DemoCall(title, method, url, headers, body, other, status, problem);
    }

    DemoCall saying(String other) {
        return new DemoCall(title, method, url, headers, body, times, status, other);
    }

    /// The call as a person would type it.
    String asCurl() {
        var line = new StringBuilder("curl -i ");
        if (!method.equals("GET") && body.isEmpty())
            line.append("-X ").append(method).append(' ');
        line.append(url);
        for (int i = 0; i < headers.size(); i += 2) {
            line.append(" \\\n    -H '")
                    .append(headers.get(i))
                    .append(": ")
                    .append(headers.get(i + 1))
                    .append('\'');
        }
        body.ifPresent(text -> line.append(" \\\n    -d '").append(text).append('\''));
        return line.toString();
    }
}
