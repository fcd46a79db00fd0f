package gateway.policies.standard;

import gateway.config.CallTargetReader;
import gateway.http.Exchange;
import gateway.http.MethodNames;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.Dependency;
import gateway.service.CallTarget;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A service that a policy calls, and what is made of its answer.
///
/// @param pointer where it stands in its policy, such as `/calls/0`
/// @param fact that the JSON of its answer becomes; empty text: none
/// @param accept statuses that are answers; empty: 200 to 299
/// @param mostBytes of its answer, as sent and unpacked
/// @param usual what is taken for its answer while it gives none; empty: nothing is
/// @param definition SHA-256 of what is written: the same text is the same call
record CalledService(
        String pointer,
        String fact,
        CallUrl url,
        CallTarget target,
        String method,
        List<WritableHeader<HeaderValue>> headers,
        CallBody body,
        Set<Integer> accept,
        int mostBytes,
        List<TakenValue> take,
        Optional<CallVerdict> verdict,
        Optional<AnswerMemory> memory,
        Optional<JsonNode> usual,
        String definition) {
    static final List<String> FIELDS = List.of(
            "name",
            "url",
            "method",
            "headers",
            "body",
            "tls",
            "allowPlaintext",
            "accept",
            "maxAnswer",
            "take",
            "verdict",
            "cache",
            "default");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");
    private static final Set<String> TAKEN = Set.of(Exchange.CLAIMS, Exchange.VARIABLES, Exchange.ERROR);
    private static final String NOT_TAKEN =
            "{\"not\": {\"enum\": [\"" + String.join("\", \"", new TreeSet<>(TAKEN)) + "\"]}}";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final int MOST_HEADERS = 32;
    private static final int LOOP_DETECTED = 508;
    private static final String TLS = """
            {"if": {"required": ["tls"], "properties": {"tls": {"type": "object"}}},
             "then": {"properties": {"url": {"pattern": "^https:"}}}}""";
    private static final String NO_BODY = """
            {"if": {"properties": {"method": {"enum": ["GET", "HEAD", null]}}},
             "then": {"properties": {"body": {"type": "null"}}}}""";
    private static final String NOT_FORWARDED = """
            {"if": {"required": ["cache"], "properties": {"cache": {"type": "object"}}},
             "then": {"properties": {"body": {"properties": {"forward": {"not": {"const": true}}}}}}}""";

    CalledService {
        headers = List.copyOf(headers);
        accept = Set.copyOf(accept);
        take = List.copyOf(take);
    }

    /// @param pointer where `node` stands in its policy
    static CalledService read(ConfigNode node, String pointer) {
        String fact = fact(node.field(
                        "name",
                        "of the fact that the JSON of its answer becomes, for conditions and"
                                + " templates: `{fact:/name/…}`")
                .like(NAME)
                .obeys(NOT_TAKEN)
                .unlessGiven("no fact"));
        CallUrl url = CallUrl.read(node.field("url", "its server holds no placeholder; values are encoded in place"));
        String method = method(node.field("method", "`GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`")
                .unlessGiven("`GET`"));
        List<WritableHeader<HeaderValue>> headers = WritableHeader.readAll(
                node.field("headers", "that are sent, at most 32; values may hold placeholders, or be secrets")
                        .form("name and value"),
                HeaderValue::read);
        node.field("headers").extent(0, MOST_HEADERS);
        if (headers.size() > MOST_HEADERS)
            node.field("headers").problem("expected at most " + MOST_HEADERS + ", got " + headers.size());
        CallBody body = CallBody.read(node.field("body", "that is sent"));
        node.obeys(NO_BODY).obeys(NOT_FORWARDED).obeys(TLS);
        boolean bodiless = method.equals("GET") || method.equals("HEAD");
        if (bodiless && !(body instanceof CallBody.None)) node.field("body").problem("expected none with " + method);
        CallTarget target = CallTargetReader.of(
                url.origin(), node.field("tls", "how the server is spoken to, as in an API's `upstream`"));
        requireTls(node, url, headers);
        ConfigNode accepted = node.field("accept", "statuses that are answers").unlessGiven("200 to 299");
        List<Integer> accept = accepted.list(each -> (int) each.integer(200, 599));
        accepted.extent(0, 100);
        if (accept.size() > 100) accepted.problem("expected at most 100 statuses, got " + accept.size());
        var service = new CalledService(
                pointer,
                fact,
                url,
                target,
                method,
                headers,
                body,
                new TreeSet<>(accept),
                (int) node.field("maxAnswer", "most bytes of its answer").size(1024, 1 << 20, 256 << 10),
                TakenValue.readAll(node.field(
                                "take",
                                "`var.name`, `header.Name` or, of requests, `query.name`, and the place in its JSON"
                                        + " whose value goes there; at most 32")
                        .form("name and JSON Pointer")),
                CallVerdict.read(node.field("verdict", "its answer decides whether the message passes")),
                Optional.empty(),
                Optional.empty(),
                digest(node));
        return service.remembering(
                node.field("cache", "its answers are remembered"),
                node.field("default", "what is taken for its answer while it gives none")
                        .form("JSON")
                        .unlessGiven("that is an outage"));
    }

    private CalledService remembering(ConfigNode node, ConfigNode usual) {
        Optional<AnswerMemory> remembered = AnswerMemory.read(node, placeholders());
        if (remembered.isPresent() && forwards()) node.problem("expected none, since the body is forwarded");
        return new CalledService(
                pointer,
                fact,
                url,
                target,
                method,
                headers,
                body,
                accept,
                mostBytes,
                take,
                verdict,
                remembered,
                usual.json().filter(each -> !each.isNull()),
                definition);
    }

    private List<String> placeholders() {
        var all = new ArrayList<>(url.placeholders());
        for (var each : headers)
            if (each.value() instanceof HeaderValue.Text(var text)) all.addAll(text.placeholders());
        all.addAll(body.placeholders().toList());
        return all;
    }

    /// Nothing of what it says, which may hold secrets.
    private static String digest(ConfigNode node) {
        String said = node.json().map(Json::compact).orElse("");
        return ShortTermName.of(ShortTermUse.REPLAY, "definition", said).digest();
    }

    private static String fact(ConfigNode node) {
        String name = node.text();
        if (!name.isEmpty() && (!NAME.matcher(name).matches() || TAKEN.contains(name)))
            node.expected("a name such as \"profile\", none of " + String.join(", ", new TreeSet<>(TAKEN)));
        return name;
    }

    private static String method(ConfigNode node) {
        node.only(new TreeSet<>(METHODS));
        if (!node.isPresent()) return "GET";
        String method = MethodNames.read(node);
        if (METHODS.contains(method)) return method;
        if (!method.isEmpty()) node.expected("one of " + String.join(", ", new TreeSet<>(METHODS)));
        return "GET";
    }

    /// What proves who somebody is goes in the clear to this machine alone.
    private static void requireTls(ConfigNode node, CallUrl url, List<WritableHeader<HeaderValue>> headers) {
        boolean allowed = node.field(
                        "allowPlaintext",
                        "let secrets and `Authorization` go by `http://` to other machines than this one")
                .bool(false);
        boolean shows = headers.stream()
                .anyMatch(each -> each.value() instanceof HeaderValue.Hidden
                        || each.name().toLowerCase(Locale.ROOT).equals("authorization"));
        if (shows && url.isClear() && !url.isLoopback() && !allowed)
            node.field("url").problem("expected https://, since \"allowPlaintext\" is not true, got http://");
    }

    /// Whether an answer of this status is a refusal of its verdict.
    boolean denies(int status) {
        return verdict.filter(each -> each.deny().contains(status)).isPresent();
    }

    boolean accepts(int status) {
        return accept.isEmpty() ? status >= 200 && status <= 299 : accept.contains(status);
    }

    /// Whether an answer of this status says that calls of gateways lead to each other.
    boolean loops(int status) {
        return status == LOOP_DETECTED && !accepts(status) && !denies(status);
    }

    boolean forwards() {
        return body instanceof CallBody.Forwarded;
    }

    boolean setsQuery() {
        return take.stream().anyMatch(TakenValue.Parameter.class::isInstance);
    }

    boolean readsJson() {
        return !fact.isEmpty()
                || !take.isEmpty()
                || verdict.filter(CallVerdict::readsJson).isPresent();
    }

    Dependency dependency() {
        return new Dependency.Server(target.name());
    }
}
