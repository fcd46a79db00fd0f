package gateway.config;

import gateway.config.VersionsDefinition.In;
import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import gateway.net.UrlForm;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the entries of one API's `versions.list`: `{"name": "v1", "expires": "2027-07-01T00:00:00Z",
/// "deprecatedSince": …, "sunset": …, "link": "https://…", "upstream": {…}, "policies": […]}`.
final class VersionReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z"); // HTTP dates have four digits

    private static final String YEARS = "{\"pattern\": \"^(19[7-9]|[2-9][0-9]{2})[0-9]-\"}";
    private static final String LINK_OF_AN_END = """
            {"if": LINK, "then": ENDS}""".replace("LINK", JsonSchema.given("link"))
            .replace("ENDS", JsonSchema.given(List.of("deprecatedSince", "sunset", "expires")));

    private final String api;
    private final boolean preflights;
    private final PoliciesReader policies;
    private final UpstreamReader upstreams;
    private final Set<String> names = new HashSet<>();

    /// A preflight names no header of its request's, and a query decides behind the match only: there, what answers
    /// preflights stands with the API.
    VersionReader(String api, In in, PoliciesReader policies, UpstreamReader upstreams) {
        this.api = api;
        this.preflights = in == In.PATH;
        this.policies = policies;
        this.upstreams = upstreams;
    }

    VersionDefinition read(ConfigNode node) {
        node.requireObject();
        String name = readName(node.field("name", "1 to 64 letters, digits, `.`, `_` or `-`"));
        var upstream = node.field("upstream", "as the API's, in place of it");
        var version = new VersionDefinition(
                name,
                readTime(node.field("expires", "from then on it answers 403")),
                readTime(node.field("deprecatedSince", "for the header `Deprecation`")),
                readTime(node.field("sunset", "for the header `Sunset`")),
                readLink(node.field("link", "URL that tells more of its end")),
                upstream.isPresent() ? Optional.of(upstreams.read(upstream, api + '/' + name)) : Optional.empty(),
                policies.read(node.field("policies", "besides those of the API"), name + '/', preflights));
        node.obeys(LINK_OF_AN_END);
        checkTimes(node, version);
        node.refuseUnknownFields();
        return version;
    }

    private String readName(ConfigNode node) {
        String name = node.like(NAME).requiredText();
        if (name.isEmpty()) return name;
        if (!NAME.matcher(name).matches()) {
            node.problem("expected 1 to 64 letters, digits, '.', '_' or '-', got \"" + name + "\"");
        } else if (!names.add(name)) {
            node.problem("the version \"" + name + "\" stands twice");
        }
        return name;
    }

    private static Optional<Instant> readTime(ConfigNode node) {
        Optional<Instant> time = node.obeys(YEARS).optionalInstant();
        if (time.isPresent() && (time.get().isBefore(EARLIEST) || time.get().isAfter(LATEST))) {
            node.problem("expected a time from 1970 to 9999, got \"" + time.get() + "\"");
            return Optional.empty();
        }
        return time;
    }

    private static Optional<String> readLink(ConfigNode node) {
        if (!node.isPresent()) return Optional.empty();
        String text = node.like(UrlForm.LINK).requiredText();
        if (text.isEmpty()) return Optional.empty();
        try {
            URI uri = new URI(text);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getRawUserInfo() == null) return Optional.of(uri.toASCIIString());
        } catch (URISyntaxException e) {
            // reported below, as any other text that is no such URL
        }
        node.problem("expected a URL such as \"https://example.com/docs/v1-end\", got \"" + text + "\"");
        return Optional.empty();
    }

    /// RFC 9745 §4: a sunset lies not before the deprecation. One behind the expiry would be a false promise.
    private static void checkTimes(ConfigNode node, VersionDefinition version) {
        Optional<Instant> since = version.deprecatedSince();
        Optional<Instant> sunset = version.sunset();
        Optional<Instant> expires = version.expires();
        if (sunset.isPresent() && since.isPresent() && sunset.get().isBefore(since.get())) {
            node.field("sunset").problem("expected a time not before deprecatedSince, got \"" + sunset.get() + "\"");
        }
        if (sunset.isPresent() && expires.isPresent() && sunset.get().isAfter(expires.get())) {
            node.field("sunset").problem("expected a time not after expires, got \"" + sunset.get() + "\"");
        }
        if (sunset.isEmpty()
                && since.isPresent()
                && expires.isPresent()
                && expires.get().isBefore(since.get())) {
            node.field("expires").problem("expected a time not before deprecatedSince, got \"" + expires.get() + "\"");
        }
        if (version.link().isPresent() && since.isEmpty() && sunset.isEmpty() && expires.isEmpty()) {
            node.field("link").problem("expected deprecatedSince, sunset or expires beside a link");
        }
    }
}
