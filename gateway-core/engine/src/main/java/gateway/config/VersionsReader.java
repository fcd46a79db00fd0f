package gateway.config;

import gateway.config.VersionsDefinition.In;
import gateway.http.HeaderText;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.json.Suggestion;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Reads `versions`: `{"in": "header", "name": "X-Api-Version", "default": "v1", "fallbackToDefault": false,
/// "strip": true, "list": [{"name": "v1", …}]}`.
final class VersionsReader {
    private static final int MOST = 100;
    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z0-9._~-]{1,64}");

    /// What the gateway takes off or writes itself before a version is looked for, or after.
    private static final Set<String> RESERVED = Set.of(
            "authorization",
            "connection",
            "content-length",
            "cookie",
            "expect",
            "forwarded",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "traceparent",
            "tracestate",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-proto",
            "x-real-ip",
            "x-request-id");

    private static final String NAME_OF_A_HEADER = """
            {"if": {"properties": {"in": {"const": "header"}}},
             "then": {"properties": {"name": {"pattern": "^FORM$"}}}}
            """.replace("FORM", HeaderText.REQUEST_NAME_FORM.pattern());
    private static final String NAME_OF_A_PARAMETER = """
            {"if": {"properties": {"in": {"const": "query"}}},
             "then": {"properties": {"name": {"pattern": "^FORM$"}}}}""".replace("FORM", PARAMETER.pattern());

    /// A path that names no version is served by the default anyway.
    private static final String FALLBACK = """
            {"if": {"required": ["fallbackToDefault"], "properties": {"fallbackToDefault": {"const": true}}},
             "then": {"required": ["default"], "properties": {"default": {"not": {"type": "null"}},
              "in": {"not": {"const": "path"}}}}}""";

    private final String api;
    private final PoliciesReader policies;
    private final UpstreamReader upstreams;

    VersionsReader(String api, PoliciesReader policies, UpstreamReader upstreams) {
        this.api = api;
        this.policies = policies;
        this.upstreams = upstreams;
    }

    /// @param path of the API's match
    Optional<VersionsDefinition> read(ConfigNode node, String path) {
        if (!node.expectObject()) return Optional.empty();
        In in = readIn(node.field("in", "where a request names its version"));
        String name = readName(node.field("name", "of the header or query parameter; none for a path"), in);
        var reader = new VersionReader(api, in, policies, upstreams);
        List<VersionDefinition> list = readList(node.field("list", "1 to 100"), reader);
        Optional<String> fallback = readDefault(node.field("default", "serves requests that name no version"), list);
        boolean fallsBack =
                readFallback(node.field("fallbackToDefault", "the default serves unknown versions too"), in, fallback);
        var versions = new VersionsDefinition(
                in,
                name,
                fallback,
                fallsBack,
                node.field("strip", "the upstream is not sent the version").bool(false),
                list);
        node.onlyWhere("name", "in", false, "header", "query")
                .neededWhere("name", "in", false, "header", "query")
                .obeys(NAME_OF_A_HEADER)
                .obeys(NAME_OF_A_PARAMETER)
                .obeys(FALLBACK);
        if (in == In.PATH) checkPaths(node.field("list"), path, list);
        node.refuseUnknownFields();
        return Optional.of(versions);
    }

    private static In readIn(ConfigNode node) {
        if (!node.isPresent()) node.problem("expected one of \"header\", \"query\", \"path\", got nothing");
        return node.choice(In.HEADER);
    }

    private static String readName(ConfigNode node, In in) {
        if (in == In.PATH) {
            if (node.isPresent()) node.problem("expected nothing: the version is the segment behind match.path");
            return "";
        }
        String name = node.requiredText();
        if (name.isEmpty()) return name;
        if (in == In.QUERY && !PARAMETER.matcher(name).matches()) {
            node.problem("expected 1 to 64 letters, digits, '.', '_', '~' or '-', got \"" + name + "\"");
        }
        if (in == In.HEADER && !HeaderText.isRequestName(name)) {
            node.problem(HeaderText.requestNameFlaw(name));
        } else if (in == In.HEADER && RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
            node.problem("the header " + name + " has a meaning of its own and cannot carry a version");
        }
        return name;
    }

    private static List<VersionDefinition> readList(ConfigNode node, VersionReader reader) {
        List<VersionDefinition> list = node.list(reader::read);
        boolean wrong = node.isPresent() && !node.json().map(JsonNode::isArray).orElse(false);
        node.extent(1, MOST);
        if (!wrong && (list.isEmpty() || list.size() > MOST)) {
            node.problem("expected 1 to " + MOST + " versions, got " + list.size());
        }
        return list;
    }

    private static Optional<String> readDefault(ConfigNode node, List<VersionDefinition> list) {
        if (!node.isPresent()) return Optional.empty();
        String name = node.requiredText();
        Set<String> names = new HashSet<>();
        for (VersionDefinition version : list) names.add(version.name());
        if (name.isEmpty() || names.contains(name)) return Optional.of(name);
        node.problem("expected the name of a version in list, got \"" + name + "\""
                + Suggestion.nearest(name, names)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse(""));
        return Optional.empty();
    }

    private static boolean readFallback(ConfigNode node, In in, Optional<String> fallback) {
        boolean wanted = node.bool(false);
        if (wanted && in == In.PATH) {
            node.problem("expected nothing: a path that names no version is served by the default anyway");
        } else if (wanted && fallback.isEmpty()) {
            node.problem("expected a default to fall back to");
        }
        return wanted;
    }

    /// The path of each version is that of the match and one segment.
    private static void checkPaths(ConfigNode node, String path, List<VersionDefinition> list) {
        if (list.isEmpty()) return;
        PathPattern.flaw(below(path, "v")).ifPresent(node::problem);
    }

    private static String below(String path, String segment) {
        return path.equals("/") ? path + segment : path + '/' + segment;
    }
}
