package gateway.policies.message.jose;

import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import gateway.policies.standard.WritableHeader;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;

/// What of a message is signed or encrypted.
sealed interface JosePart {
    Pattern FORM =
            Pattern.compile("/[\\s\\S]{1,1023}|header:" + HeaderText.TOKEN_FORM.pattern() + "|query:[\\s\\S]{1,249}");
    String NOT_RESERVED = "{\"not\": {"
            + JsonSchema.pattern(Pattern.compile("header:(" + HeaderText.RESERVED_FORM.pattern() + ")")) + "}}";

    /// All of the body.
    record Body() implements JosePart {}

    /// A value in a JSON body.
    record Value(JsonPointer pointer) implements JosePart {}

    /// The value of a field.
    record Field(String name) implements JosePart {}

    /// The value of a query parameter.
    record Parameter(String name) implements JosePart {}

    /// Whether bodies are read for it.
    default boolean inBody() {
        return switch (this) {
            case Body _, Value _ -> true;
            case Field _, Parameter _ -> false;
        };
    }

    /// @param answers whether it is one of answers, which have no query
    static JosePart read(ConfigNode node, boolean answers) {
        node.form("JSON pointer, `header:NAME` or `query:NAME`")
                .unlessGiven("the whole body")
                .like(FORM)
                .obeys(NOT_RESERVED);
        if (!node.isPresent()) return new Body();
        String text = node.requiredText();
        Optional<JosePart> found = of(text, node);
        if (answers && text.startsWith("query:")) node.expected("no query parameter, since answers have none");
        else if (found.isEmpty() && !text.isEmpty()) {
            node.expected("a JSON pointer such as \"/payment/card\", \"header:NAME\" or \"query:NAME\"");
        }
        return found.orElseGet(Body::new);
    }

    private static Optional<JosePart> of(String text, ConfigNode node) {
        if (text.startsWith("header:")) return field(text.substring("header:".length()), node);
        if (text.startsWith("query:") && text.length() > "query:".length() && text.length() < 256) {
            return Optional.of(new Parameter(text.substring("query:".length())));
        }
        if (text.length() < 2 || text.length() > 1_024 || text.charAt(0) != '/') return Optional.empty();
        return Optional.of(new Value(JsonPointer.compile(text)));
    }

    private static Optional<JosePart> field(String name, ConfigNode node) {
        WritableHeader.checkName(name, node);
        return Optional.of(new Field(name));
    }
}
