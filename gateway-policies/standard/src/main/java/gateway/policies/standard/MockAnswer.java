package gateway.policies.standard;

import gateway.config.ResourceReader;
import gateway.http.Body;
import gateway.http.BodyCharset;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.Services;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// One of the answers that [MockResponse] gives.
///
/// @param contentType of the body, unless `headers` names another
/// @param body where it is the same for all requests
/// @param template what it is made of for each request
/// @param resource whose content is the body instead, of its own type
record MockAnswer(
        int status,
        List<WritableHeader<Template>> headers,
        String contentType,
        String body,
        Optional<Template> template,
        Optional<ResourceReference> resource) {
    private static final String JSON = "application/json";
    private static final int MOST_PLACEHOLDERS = 100;
    private static final String NO_CONTENT = """
            {"if": {"required": ["status"], "properties": {"status": {"enum": [204, 205, 304]}}},
             "then": {"properties": {"json": {"type": "null"}, "body": {"type": "null"}}}}""";
    private static final int MOST_CHARACTERS = 16 << 10; // of what a template becomes: it is made for each request
    private static final Problem TOO_LONG = Problem.of(
            "policy-failed",
            500,
            "Policy failed",
            "What the template makes is longer than " + MOST_CHARACTERS + " characters");

    MockAnswer {
        headers = List.copyOf(headers);
    }

    /// @param templates whether its texts may hold placeholders
    static MockAnswer read(ConfigNode node, boolean templates) {
        int status = (int) node.field("status", "of the answer").integer(200, 599, 200);
        var json = node.field("json", "the body, as `application/json`").unlessGiven("none");
        var body = node.field(
                        "body",
                        "the body, as `text/plain; charset=utf-8` unless `headers` says otherwise, or `{\"resource\": \"id\"}`; not together with `json`")
                .unlessGiven("none");
        node.apart("json", "body").obeys(NO_CONTENT);
        if (json.isPresent() && body.isPresent()) body.problem("expected either \"body\" or \"json\", got both");
        for (ConfigNode content : List.of(json, body)) {
            if (hasNoContent(status) && content.isPresent()) content.problem("expected none with status " + status);
        }
        boolean isStored = ResourceReader.isReference(body);
        List<WritableHeader<Template>> headers = WritableHeader.readAll(
                node.field("headers", "of the answer").form("name and value"), each -> header(each, templates));
        if (templates) headers = headers.stream().map(each -> typed(each, node)).toList();
        String text = isStored ? "" : json.json().map(Json::compact).orElseGet(body::text);
        String type = json.isPresent() ? JSON : "text/plain; charset=utf-8";
        Optional<Template> template = Optional.empty();
        if (templates && !isStored) {
            String pattern = json.isPresent() ? pattern(text) : text;
            template = Optional.of(template(pattern, typeOf(headers, type), json.isPresent() ? json : body));
        }
        Optional<ResourceReference> resource = isStored ? Optional.of(ResourceReader.read(body)) : Optional.empty();
        return new MockAnswer(status, headers, type, text, template, resource);
    }

    private static Template header(ConfigNode node, boolean templates) {
        String text = node.requiredText();
        return Template.read(templates ? text : text.replace("{", "{{"), node, TemplatePlace.HEADER);
    }

    private static Template template(String pattern, String type, ConfigNode node) {
        Optional<TemplatePlace> place = place(type);
        if (place.isEmpty()) {
            node.problem("expected JSON, XML, HTML or text/plain for a template, got " + type
                    + ": how values are escaped in it is not known");
        }
        Template template = Template.read(pattern, node, place.orElse(TemplatePlace.HTML));
        if (pattern.length() > MOST_CHARACTERS) {
            node.problem("expected at most " + MOST_CHARACTERS + " characters for a template, got " + pattern.length());
        }
        if (template.placeholders().size() > MOST_PLACEHOLDERS) {
            node.problem("expected at most " + MOST_PLACEHOLDERS + " placeholders, got "
                    + template.placeholders().size());
        }
        return template;
    }

    /// Whoever reads what a template makes has to read it as it was escaped: the type is the definition's alone and
    /// the charset UTF-8, which of HTML is said, since browsers guess it else.
    private static WritableHeader<Template> typed(WritableHeader<Template> header, ConfigNode node) {
        if (!isType(header)) return header;
        ConfigNode place = node.field("headers").field(header.name());
        String type = header.value().toString();
        if (!header.value().placeholders().isEmpty())
            place.problem("expected no placeholder, since values are escaped by the type, got \"" + type + '"');
        else if (!BodyCharset.isUtf8(Headers.ofLines(List.of("Content-Type", type))))
            place.problem("expected the charset utf-8 for a template, got \"" + type + '"');
        boolean guessed = place(type).filter(TemplatePlace.HTML::equals).isPresent() && !type.contains("charset");
        if (!guessed) return header;
        return new WritableHeader<>(
                header.name(), Template.read(type + "; charset=utf-8", place, TemplatePlace.HEADER));
    }

    private static boolean isType(WritableHeader<Template> header) {
        return header.name().equalsIgnoreCase("Content-Type");
    }

    /// The last one is sent.
    private static String typeOf(List<WritableHeader<Template>> headers, String usual) {
        String type = usual;
        for (var header : headers) {
            if (isType(header)) type = header.value().toString();
        }
        return type;
    }

    private static Optional<TemplatePlace> place(String contentType) {
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (type.equals(JSON) || type.endsWith("+json")) return Optional.of(TemplatePlace.JSON);
        if (type.endsWith("/xml") || type.endsWith("+xml")) return Optional.of(TemplatePlace.XML);
        if (type.equals("text/html")) return Optional.of(TemplatePlace.HTML);
        return type.equals("text/plain") ? Optional.of(TemplatePlace.VALUE) : Optional.empty();
    }

    /// JSON as a template: braces of objects stand for themselves, those in texts for placeholders.
    private static String pattern(String compact) {
        var pattern = new StringBuilder(compact.length() + 8);
        boolean quoted = false;
        for (int i = 0; i < compact.length(); i++) {
            char c = compact.charAt(i);
            pattern.append(c);
            if (c == '"') quoted = !quoted;
            else if (c == '\\') pattern.append(compact.charAt(++i));
            else if (c == '{' && !quoted) pattern.append(c);
        }
        return pattern.toString();
    }

    private static boolean hasNoContent(int status) {
        return status == 204 || status == 205 || status == 304;
    }

    /// What makes it for a request.
    Function<Exchange, Response> compile(Services services) {
        if (template.isPresent()) {
            Template made = template.get();
            return exchange -> made.render(exchange, MOST_CHARACTERS)
                    .map(text -> response(exchange, bytes(text), contentType))
                    .orElseGet(() -> TOO_LONG.toResponse(exchange.requestId()));
        }
        Optional<Resource> stored = resource.map(services::resource);
        Body content = stored.map(Resource::bytes).map(Body::of).orElseGet(() -> bytes(body));
        String type = stored.map(Resource::contentType).orElse(contentType);
        return exchange -> response(exchange, content, type);
    }

    private static HeldBody bytes(String text) {
        return Body.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private Response response(Exchange exchange, Body content, String type) {
        var response = new Response(status, Headers.create(), content);
        if (content.length().orElse(0) > 0) response.with("Content-Type", type);
        for (var header : headers) response.with(header.name(), header.value().render(exchange));
        return response;
    }
}
