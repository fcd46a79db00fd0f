package gateway.app.secrets;

import gateway.config.SecretReader;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A secret as people write it. No problem that is found repeats any of it.
///
/// @param text empty when the mask that is shown was written, or nothing that can be kept
/// @param mask stands for what is kept
public record WrittenSecret(Optional<Secret> text, Optional<String> mask) {
    static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int MOST_CHARACTERS = 64 * 1024;
    private static final String EXPECTED = "expected text of 1 to " + MOST_CHARACTERS + " characters";
    private static final Pattern MASK = Pattern.compile("[0-9a-f]{8}");

    /// Problems are left in `node`.
    public static WrittenSecret read(ConfigNode node) {
        node.field("$schema", "of this file, for editors, and not kept").optionalText();
        node.field("id", "may be left out where the path says it").like(ID).optionalText();
        WrittenSecret written = readValue(node.field("value", "the secret, at most 64 Ki characters"));
        node.refuseUnknownFields();
        return written;
    }

    private static WrittenSecret readValue(ConfigNode value) {
        Optional<JsonNode> json = value.json();
        if (json.filter(JsonNode::isObject).isPresent()) return readMask(value);
        String text = json.filter(JsonNode::isString).isPresent() ? value.requiredText() : "";
        if (text.isEmpty() || text.length() > MOST_CHARACTERS) value.problem(EXPECTED);
        return new WrittenSecret(Optional.of(new Secret(text)), Optional.empty());
    }

    private static WrittenSecret readMask(ConfigNode value) {
        ConfigNode mask =
                value.field(SecretReader.MASKED, "as the gateway shows the secret: written back, it keeps it");
        boolean isText = mask.like(MASK).json().filter(JsonNode::isString).isPresent();
        String text = isText ? mask.requiredText() : "";
        if (!mask.isPresent()) mask.problem(EXPECTED);
        else if (!isText) value.problem(EXPECTED);
        value.refuseUnknownFields();
        return new WrittenSecret(Optional.empty(), Optional.of(text));
    }
}
