package gateway.config;

import gateway.capture.BodyMask;
import gateway.capture.JsonMask;
import gateway.capture.ParameterMask;
import gateway.http.Headers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Names whose values are recorded as `***`.
///
/// @param headers without regard to case; credentials are always among them
/// @param parameters of queries and forms
/// @param json paths in JSON bodies
public record Mask(Set<String> headers, ParameterMask parameters, JsonMask json) {
    private static final List<String> CREDENTIALS =
            List.of("Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key");

    /// Hides credentials in their usual headers.
    public static final Mask USUAL = new Mask(Set.of(), ParameterMask.NOTHING, JsonMask.NOTHING);

    public Mask {
        var names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(CREDENTIALS);
        names.addAll(headers);
        headers = Collections.unmodifiableSet(names);
    }

    /// Names and values of `found` in turn.
    List<String> headers(Headers found) {
        var lines = new ArrayList<String>();
        found.forEach((name, value) -> {
            lines.add(name);
            lines.add(headers.contains(name) ? ParameterMask.HIDDEN : value);
        });
        return lines;
    }

    BodyMask bodies() {
        return new BodyMask(parameters, json);
    }
}
