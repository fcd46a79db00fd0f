package gateway.app.admin;

import gateway.http.Body;
import gateway.http.HeaderText;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.MethodNames;
import gateway.json.ConfigNode;
import gateway.net.IpRange;
import gateway.snapshot.SupposedRequest;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Reads a request that nobody has sent, which is to be explained:
/// `{"method": "POST", "scheme": "https", "host": "api.example.com", "path": "/orders/7?x=1",
/// "headers": {"Accept": "text/plain", "X-Tag": ["a", "b"]}, "client": "203.0.113.9", "body": "…",
/// "facts": {"jwt": {"tenant": "gold"}}}`. Only `path` is required.
final class SupposedRequestReader {
    private enum Scheme {
        HTTP,
        HTTPS
    }

    private SupposedRequestReader() {}

    /// The request at `node`; sound only when `node` has no problems afterwards.
    static SupposedRequest read(ConfigNode node) {
        node.requireObject();
        var method = node.field("method");
        Headers headers = Headers.create();
        readHost(node.field("host"), headers);
        readHeaders(node.field("headers"), headers);
        String target = readTarget(node.field("path"));
        int mark = target.indexOf('?');
        var request = new SupposedRequest(
                method.isPresent() ? MethodNames.read(method) : "GET",
                node.field("scheme").choice(Scheme.HTTP).name().toLowerCase(Locale.ROOT),
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? "" : target.substring(mark + 1),
                headers,
                readClient(node.field("client")),
                readBody(node.field("body")),
                readFacts(node.field("facts")));
        node.refuseUnknownFields();
        return request;
    }

    private static void readHost(ConfigNode node, Headers headers) {
        String host = node.text();
        if (!node.isPresent()) return;
        boolean sound = !host.isEmpty() && host.chars().allMatch(c -> c > ' ' && c <= '~' && c != '/' && c != '@');
        if (sound) headers.set("Host", host);
        else node.problem("expected a host such as \"api.example.com\"");
    }

    /// Values are never repeated: they may be credentials.
    private static void readHeaders(ConfigNode node, Headers headers) {
        node.map(each -> each).forEach((name, value) -> {
            boolean isList = value.json().filter(JsonNode::isArray).isPresent();
            List<String> lines = isList ? value.list(ConfigNode::text) : List.of(value.text());
            if (!HeaderText.isToken(name)) value.problem("expected the name of a header, got \"" + name + '"');
            else if (name.equalsIgnoreCase("Host")) value.problem("expected in \"host\"");
            else if (!lines.stream().allMatch(HeaderText::isValue))
                value.problem("expected only characters that may stand in a header");
            else lines.forEach(line -> headers.add(name, line));
        });
    }

    private static String readTarget(ConfigNode node) {
        String target = node.requiredText();
        boolean sound = target.startsWith("/") && target.chars().allMatch(c -> c > ' ' && c <= '~' && c != '#');
        if (!target.isEmpty() && !sound)
            node.problem("expected a path as it is sent, such as \"/orders/7?full=1\", got \"" + target + '"');
        return sound ? target : "/";
    }

    private static InetAddress readClient(ConfigNode node) {
        String text = node.text("127.0.0.1");
        Optional<InetAddress> address = IpRange.literal(text);
        if (address.isEmpty()) node.problem("expected an address such as \"203.0.113.9\", got \"" + text + '"');
        return address.orElseGet(InetAddress::getLoopbackAddress);
    }

    private static HeldBody readBody(ConfigNode node) {
        return Body.of(node.text().getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, JsonNode> readFacts(ConfigNode node) {
        var facts = new LinkedHashMap<String, JsonNode>();
        node.map(each -> each).forEach((name, fact) -> fact.json().ifPresent(value -> facts.put(name, value)));
        return facts;
    }
}
