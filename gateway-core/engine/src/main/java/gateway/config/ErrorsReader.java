package gateway.config;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.ErrorForm;
import gateway.policy.ErrorForms;
import gateway.policy.FilledJson;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Reads `errors`: `[{"form": "json", "body": {"code": "{error.type}"}}, {"form": "html", "page": "<h1>…"}, …]`.
final class ErrorsReader {
    private static final int MOST_FORMS = 4;
    private static final int MOST_CHARACTERS = 16 * 1024;
    private static final int MOST_PLACEHOLDERS = 32;
    private static final Pattern MEDIA_TYPE = Pattern.compile("application/([a-z0-9][a-z0-9!#$&^_.+-]{0,100}\\+)?json");
    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>{error.status} {error.title}</title></head>
            <body><h1>{error.title}</h1><p>{error.detail}</p><p>{request.id}</p></body></html>
            """;
    private static final Map<String, JsonPointer> OF_PAGES = ofPages();

    private enum Form {
        PROBLEM,
        JSON,
        HTML,
        SOAP
    }

    private ErrorsReader() {}

    static ErrorForms read(ConfigNode node) {
        Set<String> types = new HashSet<>();
        List<ErrorForm> forms = node.extent(1, MOST_FORMS).list(each -> form(each, types));
        boolean isNone = forms.isEmpty() && node.json().map(JsonNode::isArray).orElse(false);
        if (isNone || forms.size() > MOST_FORMS)
            node.problem("expected 1 to " + MOST_FORMS + " forms, got " + forms.size());
        return new ErrorForms(forms);
    }

    /// @param taken media types of those before it
    private static ErrorForm form(ConfigNode node, Set<String> taken) {
        node.requireObject();
        ConfigNode chosen = node.field("form", "what such an answer is");
        if (!chosen.isPresent())
            chosen.problem("expected one of \"problem\", \"json\", \"html\", \"soap\", got nothing");
        Form form = chosen.choice(Form.PROBLEM);
        ConfigNode body = node.field("body", "of `json`: an object whose texts may hold placeholders");
        ConfigNode type = node.field("contentType", "of `json`").like(MEDIA_TYPE);
        ConfigNode page = node.field("page", "of `html`: a text with placeholders")
                .unlessGiven("a plain page with status, title, detail and request id");
        ConfigNode status = node.field(
                "status", "of `soap`: that of the problem, or `binding`: as SOAP's binding to HTTP has it, 500 or 400");
        ErrorForm.Fault.Status chosenStatus = status.choice(ErrorForm.Fault.Status.PROBLEM);
        ErrorForm read = switch (form) {
            case PROBLEM -> new ErrorForm.Standard();
            case JSON -> new ErrorForm.OwnJson(mediaType(type), body(body));
            case HTML -> new ErrorForm.Page(page(page));
            case SOAP -> new ErrorForm.Fault(chosenStatus);
        };
        node.onlyWhere("body", "form", false, "json")
                .neededWhere("body", "form", false, "json")
                .onlyWhere("contentType", "form", false, "json")
                .onlyWhere("page", "form", false, "html")
                .onlyWhere("status", "form", false, "soap");
        if (form != Form.JSON) {
            refuse(body, "json");
            refuse(type, "json");
        }
        if (form != Form.HTML) refuse(page, "html");
        if (form != Form.SOAP) refuse(status, "soap");
        node.refuseUnknownFields();
        if (!Collections.disjoint(taken, read.mediaTypes())) node.problem("a form before it has its media type");
        taken.addAll(read.mediaTypes());
        return read;
    }

    private static void refuse(ConfigNode node, String form) {
        if (node.isPresent()) node.problem("expected nothing: it is for the form \"" + form + "\"");
    }

    private static String mediaType(ConfigNode node) {
        String type = node.text("application/json");
        if (!MEDIA_TYPE.matcher(type).matches())
            node.problem("expected a media type such as application/json or application/vnd.example+json, without"
                    + " parameters, got \"" + type + "\"");
        return type;
    }

    private static FilledJson body(ConfigNode node) {
        var _ = node.map(ConfigNode::json);
        if (!node.json().map(JsonNode::isObject).orElse(false)) {
            if (!node.isPresent()) node.problem("expected an object, got nothing");
            return new FilledJson.Constant(Json.mapper().createObjectNode());
        }
        JsonNode json = node.json().orElseThrow();
        bound(node, Json.compact(json).length());
        FilledJson body = FilledJson.read(node, ErrorForm.PLACEHOLDERS);
        boundPlaceholders(node, body.placeholders().count());
        return body;
    }

    private static Template page(ConfigNode node) {
        String text = node.optionalText().orElse(PAGE);
        bound(node, text.length());
        Template page = Template.read(text, node, TemplatePlace.HTML, OF_PAGES);
        boundPlaceholders(node, page.placeholders().size());
        return page;
    }

    private static void bound(ConfigNode node, int characters) {
        node.extent(0, MOST_CHARACTERS);
        if (characters > MOST_CHARACTERS)
            node.problem("expected at most " + MOST_CHARACTERS + " characters, got " + characters);
    }

    private static void boundPlaceholders(ConfigNode node, long count) {
        if (count > MOST_PLACEHOLDERS)
            node.problem("expected at most " + MOST_PLACEHOLDERS + " placeholders, got " + count);
    }

    /// A list is no text.
    private static Map<String, JsonPointer> ofPages() {
        var own = new HashMap<>(ErrorForm.PLACEHOLDERS);
        own.remove("error.errors");
        return Map.copyOf(own);
    }
}
