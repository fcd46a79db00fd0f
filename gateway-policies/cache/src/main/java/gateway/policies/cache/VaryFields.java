package gateway.policies.cache;

import gateway.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/// The fields of the request by which an answer was chosen, with the values that they had (RFC 9111 §4.1).
record VaryFields(List<String> names, List<String> values) {
    static final VaryFields NONE = new VaryFields(List.of(), List.of());

    /// Set by the gateway after this policy, anew for each request: by these nothing can be chosen here.
    private static final Set<String> OWN =
            Set.of("forwarded", "via", "x-real-ip", "x-request-id", "traceparent", "tracestate", "connection");

    private static final String FORWARDED = "x-forwarded-";

    VaryFields {
        names = List.copyOf(names);
        values = List.copyOf(values);
    }

    /// Whether an answer with these fields can be chosen by what is seen of a request here.
    static boolean canBeChosen(Headers answer) {
        for (String name : ListElements.of(answer.all("Vary"))) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.equals("*") || OWN.contains(lower) || lower.startsWith(FORWARDED)) return false;
        }
        return true;
    }

    /// Whether the upstream got these fields as they came here: what policies put into them afterwards is not seen
    /// when an answer is looked for.
    static boolean wentOutAsSeen(Headers answer, Headers seen, Headers sent) {
        for (String name : ListElements.of(answer.all("Vary"))) {
            if (!seen.all(name).equals(sent.all(name))) return false;
        }
        return true;
    }

    static VaryFields of(Headers answer, Headers request) {
        List<String> names = ListElements.of(answer.all("Vary"));
        return names.isEmpty() ? NONE : of(names, request::all);
    }

    /// @param lines of the request's field of a name
    static VaryFields of(List<String> names, Function<String, List<String>> lines) {
        var values = new ArrayList<String>(names.size());
        for (String name : names) values.add(value(lines.apply(name)));
        return new VaryFields(names, values);
    }

    boolean match(Headers request) {
        for (int i = 0; i < names.size(); i++) {
            if (!value(request.all(names.get(i))).equals(values.get(i))) return false;
        }
        return true;
    }

    /// As one line; a field that is not there is another thing than an empty one.
    private static String value(List<String> lines) {
        if (lines.isEmpty()) return "-";
        var value = new StringBuilder("=");
        for (String element : ListElements.of(lines)) value.append(element).append(',');
        return value.toString();
    }
}
