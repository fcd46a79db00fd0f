package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.MethodNames;
import gateway.http.Outgoing;
import gateway.json.ConfigNode;
import gateway.policy.Condition;
import gateway.policy.NestedPolicies;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What is made of requests for which `when` holds and whose path is one that `path` is for.
///
/// @param method empty text: the client's
/// @param host empty text: the one that the upstream gets anyway
/// @param target branch of the upstream; empty text: the one that the upstream chooses
record RewriteRule(Condition when, PathRewrite path, QueryRewrite query, String method, String host, String target) {
    static final List<String> FIELDS = List.of("path", "query", "method", "host", "target");
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?");

    static RewriteRule read(ConfigNode node, NestedPolicies nested) {
        node.named("RewriteRule", here -> read(here, nested));
        node.requireObject();
        describe(node);
        Condition when = nested.condition(node.field("when", "requests that it is for"));
        RewriteRule rule = readFields(node);
        requireAny(node);
        node.refuseUnknownFields();
        return new RewriteRule(when, rule.path, rule.query, rule.method, rule.host, rule.target);
    }

    /// All but the condition.
    static RewriteRule readFields(ConfigNode node) {
        return new RewriteRule(
                Condition.ALWAYS,
                PathRewrite.read(node.field("path", "what becomes of the path")),
                QueryRewrite.read(node.field("query", "what becomes of the query")),
                readMethod(node.field("method", "what the upstream sees; `GET` and `HEAD` go without a body")
                        .unlessGiven("the client's")),
                readHost(node.field(
                                "host",
                                "`Host` for the upstream, with a port if need be; the server's name in TLS"
                                        + " stays the target's")
                        .unlessGiven("the target's, or the client's by `preserveHost`")),
                node.field("target", "name of a branch of the upstream's `split`, or `main`")
                        .unlessGiven("the one that the split chooses")
                        .text());
    }

    /// Of these and `further` fields at least one is there.
    static ConfigNode describe(ConfigNode node, String... further) {
        return node.some(Stream.concat(FIELDS.stream(), Stream.of(further)).toArray(String[]::new));
    }

    /// A rule that changes nothing is none that anybody means.
    static void requireAny(ConfigNode node) {
        if (FIELDS.stream().noneMatch(name -> node.field(name).isPresent()))
            node.problem("expected at least one of " + String.join(", ", FIELDS));
    }

    /// Notes each field that stands beside rules.
    static void refuseAll(ConfigNode node) {
        for (String name : FIELDS) {
            ConfigNode field = node.field(name);
            if (field.isPresent()) field.problem("expected either \"rules\" or \"" + name + "\", got both");
        }
    }

    private static String readMethod(ConfigNode node) {
        if (!node.isPresent()) return "";
        String method = MethodNames.read(node.obeys("{\"not\": {\"enum\": [\"CONNECT\", \"TRACE\"]}}"));
        if (method.equals("CONNECT") || method.equals("TRACE")) node.expected("a method other than CONNECT and TRACE");
        return method;
    }

    private static String readHost(ConfigNode node) {
        if (!node.isPresent()) return "";
        String host = node.like(HOST).requiredText();
        if (!host.isEmpty() && !HOST.matcher(host).matches())
            node.problem(
                    "expected a host such as \"orders.internal\" or \"orders.internal:8443\", got \"" + host + "\"");
        return host.toLowerCase(Locale.ROOT);
    }

    /// Changes what goes out.
    ///
    /// @param newPath see [PathRewrite#of]
    /// @return what is wrong with that path; empty when all is well
    Optional<String> apply(String newPath, Exchange exchange) {
        Outgoing outgoing = exchange.outgoing();
        QueryRewrite.Values values = query.rendered(exchange); // of the request as it was
        if (!(path instanceof PathRewrite.Same)) {
            Optional<String> flaw = PathRewrite.flaw(outgoing.path(newPath));
            if (flaw.isPresent()) return flaw;
        }
        query.apply(values, outgoing);
        if (!method.isEmpty() && !exchange.opensWebSocket()) outgoing.method(method); // it begins with GET
        if (!host.isEmpty()) outgoing.authority(host);
        if (!target.isEmpty()) outgoing.branch(target);
        return Optional.empty();
    }
}
