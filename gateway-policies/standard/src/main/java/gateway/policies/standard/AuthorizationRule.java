package gateway.policies.standard;

import gateway.config.FactCondition;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.MethodList;
import gateway.http.MethodNames;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// For some of an API's requests, who may make them.
///
/// @param methods empty: every method, see [MethodList]
/// @param paths relative to the API, each with all below it; empty: every path
/// @param versions of the API; empty: every one
/// @param scopes all are needed
/// @param anyScope one is needed, unless it is empty
/// @param tags one is needed, unless it is empty; likewise `consumers`
/// @param claims all must hold
record AuthorizationRule(
        Set<String> methods,
        List<PathPattern> paths,
        Set<String> versions,
        List<String> scopes,
        List<String> anyScope,
        Set<String> tags,
        Set<String> consumers,
        List<FactCondition> claims) {
    private static final JsonPointer CLAIMS = JsonPointer.compile('/' + Exchange.CLAIMS);
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,256}"); // RFC 6749 §3.3
    private static final int MOST = 100;

    AuthorizationRule {
        methods = Set.copyOf(methods);
        paths = List.copyOf(paths);
        versions = Set.copyOf(versions);
        scopes = List.copyOf(scopes);
        anyScope = List.copyOf(anyScope);
        tags = Set.copyOf(tags);
        consumers = Set.copyOf(consumers);
        claims = List.copyOf(claims);
    }

    static AuthorizationRule read(ConfigNode node) {
        node.requireObject();
        var rule = new AuthorizationRule(
                new HashSet<>(node.field("methods", "`GET` stands for `HEAD` too")
                        .unlessGiven("every method")
                        .list(MethodNames::read)),
                bounded(node.field("paths", "relative to the API, each with all below it")
                                .unlessGiven("every path"))
                        .list(AuthorizationRule::path),
                texts(node.field("versions", "of the API").unlessGiven("every version")),
                bounded(node.field("scopes", "the caller's token needs all of them"))
                        .list(AuthorizationRule::scope),
                bounded(node.field("anyScope", "it needs one of them")).list(AuthorizationRule::scope),
                texts(node.field("tags", "the caller needs one of them: groups, roles, plans")),
                texts(node.field("consumers", "ids, of which the caller's must be one")),
                FactCondition.read(
                        node.field(
                                "claims",
                                "what the caller's token must say: by JSON Pointer, a value or several of which one; `*`: any"),
                        CLAIMS,
                        "/tenant/plan"));
        node.refuseUnknownFields();
        return rule;
    }

    private static Set<String> texts(ConfigNode node) {
        return new HashSet<>(bounded(node).list(ConfigNode::requiredText));
    }

    /// One that is there and empty would let everybody pass, which nobody means who writes it.
    private static ConfigNode bounded(ConfigNode node) {
        int size = node.json().map(JsonNode::size).orElse(-1);
        node.extent(1, MOST);
        if (size == 0 || size > MOST) node.problem("expected 1 to " + MOST + " of them, got " + size);
        return node;
    }

    private static PathPattern path(ConfigNode node) {
        String text = node.like(PathPattern.FORM).requiredText();
        var flaw = PathPattern.flaw(text);
        if (!text.isEmpty()) flaw.ifPresent(node::problem);
        return PathPattern.of(flaw.isPresent() ? "/" : text);
    }

    private static String scope(ConfigNode node) {
        String scope = node.like(SCOPE).requiredText();
        if (!scope.isEmpty() && !SCOPE.matcher(scope).matches()) node.expected("a scope without spaces");
        return scope;
    }

    /// Whether it says anything about the request.
    boolean covers(Exchange exchange) {
        if (!MethodList.covers(methods, exchange.method())) return false;
        if (!versions.isEmpty() && !versions.contains(exchange.version())) return false;
        if (paths.isEmpty()) return true;
        String path = exchange.pathInApi();
        for (int i = 0; i < paths.size(); i++) if (paths.get(i).covers(path)) return true;
        return false;
    }

    /// Whether the caller's token is good for it.
    boolean hasScopes(Exchange exchange) {
        if (scopes.isEmpty() && anyScope.isEmpty()) return true;
        Optional<JsonNode> claim = Scopes.of(exchange);
        return Scopes.haveAll(claim, scopes) && Scopes.haveAny(claim, anyScope);
    }

    /// Whether the caller is one of those who may.
    boolean admits(Exchange exchange) {
        for (int i = 0; i < claims.size(); i++) if (!claims.get(i).holds(exchange)) return false;
        if (tags.isEmpty() && consumers.isEmpty()) return true;
        Optional<Consumer> caller = exchange.consumer();
        if (caller.isEmpty()) return false;
        if (!consumers.isEmpty() && !consumers.contains(caller.get().id())) return false;
        return tags.isEmpty() || hasTag(caller.get().tags());
    }

    private boolean hasTag(List<String> held) {
        for (int i = 0; i < held.size(); i++) if (tags.contains(held.get(i))) return true;
        return false;
    }

    /// What a token would have to be good for, as the challenge tells it (RFC 6750 §3).
    String neededScopes() {
        var all = new ArrayList<>(scopes);
        all.addAll(anyScope);
        return String.join(" ", all);
    }
}
