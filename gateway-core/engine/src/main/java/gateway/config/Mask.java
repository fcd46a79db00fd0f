package gateway.config;

import gateway.capture.BodyMask;
import gateway.capture.JsonMask;
import gateway.capture.ParameterMask;
import gateway.http.Headers;
import gateway.policy.CredentialFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Names whose values are recorded as `***`.
///
/// @param headers without regard to case; credentials are always among them
/// @param parameters of queries, also those of `Referer` and `Location`, and of forms
/// @param json paths in JSON bodies
public record Mask(Set<String> headers, ParameterMask parameters, JsonMask json) {
    private static final List<String> CREDENTIALS =
            List.of("Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key");

    private static final Set<String> LOCATIONS = ignoringCase(List.of("Referer", "Location", "Content-Location"));

    /// Hides credentials in their usual headers.
    public static final Mask USUAL = new Mask(Set.of(), ParameterMask.NOTHING, JsonMask.NOTHING);

    public Mask {
        var names = new HashSet<>(CREDENTIALS);
        names.addAll(headers);
        headers = ignoringCase(names);
    }

    private static Set<String> ignoringCase(Collection<String> names) {
        var sorted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        sorted.addAll(names);
        return Collections.unmodifiableSet(sorted);
    }

    /// These fields as well; of bodies nothing more.
    Mask and(CredentialFields credentials) {
        var names = new HashSet<>(headers);
        names.addAll(credentials.headers());
        var inQueries = new HashSet<>(parameters.names());
        inQueries.addAll(credentials.parameters());
        return new Mask(names, new ParameterMask(inQueries), json);
    }

    /// Names and values of `found` in turn, masked.
    public List<String> headers(Headers found) {
        var lines = new ArrayList<String>();
        found.forEach((name, value) -> {
            lines.add(name);
            lines.add(headers.contains(name) ? ParameterMask.HIDDEN : shown(name, value));
        });
        return lines;
    }

    /// Locations have a query of their own, often that of the request before.
    private String shown(String name, String value) {
        if (!LOCATIONS.contains(name)) return value;
        int query = value.indexOf('?') + 1;
        return query == 0 ? value : value.substring(0, query) + parameters.mask(value.substring(query));
    }

    BodyMask bodies() {
        return new BodyMask(parameters, json);
    }
}
