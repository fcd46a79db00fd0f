package gateway.policies.message.template;

import gateway.policy.TemplatePlace;
import java.util.Locale;
import java.util.Optional;

/// How values are escaped in what a template makes.
enum TemplateKind {
    JSON(TemplatePlace.JSON),
    XML(TemplatePlace.XML),
    HTML(TemplatePlace.HTML),
    FORM(TemplatePlace.QUERY),
    TEXT(TemplatePlace.VALUE);

    /// What stands for a value that is not there. It is told by its identity: any text may come in a message.
    static final String NOTHING = String.valueOf(new char[] {'\uFFFF'});

    private static final String NULL = "null";

    private final TemplatePlace place;

    TemplateKind(TemplatePlace place) {
        this.place = place;
    }

    /// By the content type; empty for one of which nobody knows how values are escaped in it.
    static Optional<TemplateKind> of(String contentType) {
        String type = contentType.toLowerCase(Locale.ROOT);
        if (type.equals("application/json") || type.endsWith("+json")) return Optional.of(JSON);
        if (type.equals("application/xml") || type.equals("text/xml") || type.endsWith("+xml")) return Optional.of(XML);
        return switch (type) {
            case "text/html" -> Optional.of(HTML);
            case "application/x-www-form-urlencoded" -> Optional.of(FORM);
            case "text/plain" -> Optional.of(TEXT);
            default -> Optional.empty();
        };
    }

    TemplatePlace place() {
        return place;
    }

    /// The content type as it is sent.
    String sent(String contentType) {
        return switch (this) {
            case JSON, FORM -> contentType;
            case XML, HTML, TEXT -> contentType + "; charset=utf-8";
        };
    }

    @SuppressWarnings("ReferenceEquality") // see NOTHING
    static boolean isNothing(Object value) {
        return value == NOTHING;
    }

    /// A value as text, not yet escaped: in JSON as it stands there where it is no part of a string.
    String text(Object value) {
        if (isNothing(value)) return this == JSON ? NULL : "";
        return this == JSON && value instanceof String text
                ? '"' + TemplatePlace.JSON_STRING.escaped(text) + '"'
                : value.toString();
    }

    /// What of [#text] goes out.
    String escaped(String text) {
        return this == JSON ? inString(text) : place.escaped(text);
    }

    /// Within the quotes of a string.
    private static String inString(String json) {
        if (json.startsWith("\"")) return json.substring(1, json.length() - 1);
        return json.equals(NULL) ? "" : TemplatePlace.JSON_STRING.escaped(json);
    }
}
