package gateway.policies.cache;

import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// What of a request tells its answer from others, beside scheme, host and path.
///
/// @param headers names of fields that count, beside those that `Vary` names
/// @param by whose each answer is
/// @param claim where the fact stands that tells whose it is, for [By#CLAIM]
record KeyParts(CountedParameters query, List<String> headers, NamedCookies cookies, By by, JsonPointer claim) {
    private static final int MOST = 32;
    private static final String CLAIM = "claim:";
    private static final String HOST = "Host";
    private static final String FORWARDED_HOST = "X-Forwarded-Host";
    private static final String FORWARDED_SCHEME = "X-Forwarded-Proto";
    private static final Pattern OWNER = Pattern.compile("api|key|claim:/[\\s\\S]*");

    /// Fields by which a trusted proxy in front may have the upstream answer otherwise.
    static final List<String> STEERING = List.of(
            "Forwarded",
            "X-Forwarded-Port",
            "X-Forwarded-Prefix",
            "X-Forwarded-Server",
            "X-Forwarded-Scheme",
            "X-HTTP-Host-Override",
            "X-Backend-Host",
            "X-Url-Scheme",
            "Front-End-Https",
            "X-Original-Method",
            "X-Envoy-Original-Path",
            "X-Proxy-Url",
            "Base-Url",
            "Request-Uri",
            "X-Host",
            "X-Original-Host",
            "X-Original-URL",
            "X-Original-URI",
            "X-Rewrite-URL",
            "X-HTTP-Method",
            "X-HTTP-Method-Override",
            "X-Method-Override");

    /// Whose an answer is.
    enum By {
        /// Everybody's who may call the API, as far as it is not kept for its caller alone.
        API,
        /// Its caller's.
        KEY,
        /// That of all for whom a fact has the same value.
        CLAIM
    }

    KeyParts {
        headers = List.copyOf(headers);
    }

    static KeyParts read(ConfigNode node) {
        if (node.isPresent()) node.expectObject();
        var query = CountedParameters.read(
                node.field("query", "names of the parameters that count, up to 32; others are not sent on")
                        .unlessGiven("all"));
        List<String> headers = node.field("headers", "names of fields that count beside those of `Vary`, up to 32")
                .list(KeyParts::header);
        node.field("headers").extent(0, MOST);
        if (headers.size() > MOST) node.field("headers").problem("expected at most 32 names, got " + headers.size());
        var cookies = NamedCookies.read(node.field(
                "cookies", "names of cookies that count, up to 32, and are no credential then; others stay one"));
        ConfigNode by =
                node.field("by", "`api`, `key` (each caller his own) or `claim:` and a pointer into the claims");
        String owner = by.like(OWNER).text("api");
        node.refuseUnknownFields();
        return switch (owner) {
            case "api" -> new KeyParts(query, headers, cookies, By.API, JsonPointer.empty());
            case "key" -> new KeyParts(query, headers, cookies, By.KEY, JsonPointer.empty());
            default -> new KeyParts(query, headers, cookies, By.CLAIM, claim(by, owner));
        };
    }

    private static String header(ConfigNode node) {
        String name = node.like(HeaderText.REQUEST_NAME_FORM).requiredText();
        if (!name.isEmpty() && !HeaderText.isRequestName(name)) node.problem(HeaderText.requestNameFlaw(name));
        return name;
    }

    private static JsonPointer claim(ConfigNode node, String owner) {
        if (owner.startsWith(CLAIM + '/'))
            return JsonPointer.compile('/' + Exchange.CLAIMS + owner.substring(CLAIM.length()));
        node.problem("expected \"api\", \"key\" or \"claim:/pointer\", got \"" + owner + '"');
        return JsonPointer.empty();
    }

    /// Takes the parameters that do not count out of what the upstream gets.
    void narrow(Exchange exchange) {
        if (!query.areAll()) exchange.outgoing().keepQueryParameters(query::counts);
    }

    /// What is asked for, within `space`.
    String target(String space, Exchange exchange) {
        return target(
                space,
                exchange,
                exchange.outgoing().path(),
                query.of(exchange.outgoing().query()));
    }

    /// The same for another path of the same host.
    static String target(String space, Exchange exchange, String path, String query) {
        return new KeyText()
                .add(space)
                .add(exchange.scheme())
                .add(exchange.host())
                .add(path)
                .add(query)
                .toString();
    }

    /// What tells requests for one target apart.
    ///
    /// @param seen of the request
    String part(Exchange exchange, SeenFields seen) {
        Headers fields = seen.fields();
        KeyText text = called(exchange, fields);
        if (seen.has(SeenFields.Kind.STEERING)) text = steering(text, fields);
        for (String name : headers) text = with(text, name, fields);
        String told = cookies.told(fields);
        if (!told.isEmpty()) text = started(text).add("cookies").add(told);
        if (!exchange.version().isEmpty()) text = started(text).add("version").add(exchange.version());
        if (!exchange.outgoing().authority().isEmpty())
            text = started(text).add(exchange.outgoing().authority());
        if (!exchange.outgoing().branch().isEmpty())
            text = started(text).add("branch").add(exchange.outgoing().branch());
        return switch (by) {
            case API -> text == null ? "" : text.toString();
            case KEY ->
                started(text)
                        .add("key")
                        .add(exchange.consumer().map(each -> each.id()).orElse(""))
                        .toString();
            case CLAIM ->
                started(text)
                        .add("claim")
                        .add(exchange.fact(claim).map(JsonNode::toString).orElse(""))
                        .toString();
        };
    }

    /// What the upstream is told of where the client has called, as far as it is another thing than the target says: of
    /// most requests it is none.
    private static @Nullable KeyText called(Exchange exchange, Headers fields) {
        String host = only(fields, HOST);
        KeyText text = null;
        if (host.isEmpty() || !host.equals(exchange.host())) text = with(text, HOST, fields);
        if (host.isEmpty() || !host.equals(only(fields, FORWARDED_HOST))) text = with(text, FORWARDED_HOST, fields);
        if (!exchange.scheme().equals(only(fields, FORWARDED_SCHEME))) text = with(text, FORWARDED_SCHEME, fields);
        return text;
    }

    /// Empty text when there are none or several.
    private static String only(Headers fields, String name) {
        List<String> values = fields.all(name);
        return values.size() == 1 ? values.getFirst() : "";
    }

    private static @Nullable KeyText steering(@Nullable KeyText begun, Headers fields) {
        KeyText text = begun;
        for (String name : STEERING) {
            if (fields.contains(name)) text = with(text, name, fields);
        }
        return text;
    }

    private static KeyText with(@Nullable KeyText text, String name, Headers fields) {
        List<String> values = fields.all(name);
        KeyText more = started(text).add(name).add(Integer.toString(values.size()));
        for (String value : values) more.add(value);
        return more;
    }

    private static KeyText started(@Nullable KeyText text) {
        return text == null ? new KeyText() : text;
    }
}
