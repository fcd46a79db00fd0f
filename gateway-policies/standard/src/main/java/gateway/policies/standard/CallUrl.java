package gateway.policies.standard;

import gateway.http.CanonicalPath;
import gateway.http.CanonicalPath.Canonical;
import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.net.UrlForm;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a policy calls: a server that no request chooses, and a path and query with placeholders.
///
/// @param origin scheme, host and port
/// @param query empty text: none
record CallUrl(URI origin, Template path, Template query) {
    private static final Pattern FORM = Pattern.compile("(https?://[A-Za-z0-9.:\\[\\]_-]+)(/[^?#]*)?(?:\\?([^#]*))?");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^}]*}");
    private static final Pattern SOUND_QUERY = Pattern.compile("[!-~]*");
    private static final Pattern LIKE =
            Pattern.compile(UrlForm.ORIGIN.pattern() + "(/[^?#]*)?(\\?([!\"$-~]|\\{[^}#]*\\})*)?");
    private static final URI STAND_IN = URI.create("https://localhost");
    private static final int LONGEST = 2_048;

    static CallUrl read(ConfigNode node) {
        String text = node.form("URL whose path and query may hold placeholders")
                .like(LIKE)
                .extent(1, LONGEST)
                .requiredText();
        Matcher parts = FORM.matcher(text);
        Optional<URI> origin = parts.matches() && text.length() <= LONGEST ? origin(parts.group(1)) : Optional.empty();
        if (origin.isEmpty()) {
            if (!text.isEmpty())
                node.problem("expected a URL such as \"https://crm.internal/users/{key.id}\", whose server holds no"
                        + " placeholder, of at most " + LONGEST + " characters");
            Template none = Template.read("/", node, TemplatePlace.PATH);
            return new CallUrl(STAND_IN, none, none);
        }
        String path = parts.group(2) == null ? "/" : parts.group(2);
        String query = parts.group(3) == null ? "" : parts.group(3);
        if (!SOUND_QUERY.matcher(PLACEHOLDER.matcher(query).replaceAll("x")).matches())
            node.problem("expected a query that is percent-encoded");
        return new CallUrl(
                origin.get(),
                Template.read(path, node, TemplatePlace.PATH),
                Template.read(query, node, TemplatePlace.QUERY));
    }

    private static Optional<URI> origin(String text) {
        try {
            var origin = new URI(text);
            boolean sound = origin.getHost() != null && origin.getPort() != 0 && origin.getPort() <= 65_535;
            return sound ? Optional.of(origin) : Optional.empty();
        } catch (java.net.URISyntaxException e) {
            return Optional.empty();
        }
    }

    List<String> placeholders() {
        var all = new ArrayList<>(path.placeholders());
        all.addAll(query.placeholders());
        return all;
    }

    /// Path and query for one request; empty when its values would lead elsewhere than the definition says.
    Optional<String> of(Exchange exchange) {
        String place = path.path(exchange);
        if (!(CanonicalPath.of(place) instanceof Canonical)) return Optional.empty();
        String parameters = query.render(exchange);
        return Optional.of(parameters.isEmpty() ? place : place + '?' + parameters);
    }

    boolean isClear() {
        return origin.getScheme().equals("http");
    }

    boolean isLoopback() {
        String host = origin.getHost();
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }
}
