package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import java.util.Optional;

/// What both ways of opening a message are told alike.
final class OpenedMedia {
    private static final String USUAL = "application/json";

    private OpenedMedia() {}

    /// The media type of what was in a message, where that does not say.
    static String read(ConfigNode node) {
        ConfigNode field = node.field("contentType", "of a body that was opened, where its `cty` does not say");
        String text = field.like(MediaName.WHOLE).text(USUAL);
        Optional<String> type = text.indexOf('/') < 0 ? Optional.empty() : MediaName.of(text);
        if (type.isEmpty()) field.problem("expected a media type such as \"" + USUAL + "\", got \"" + text + '"');
        return type.orElse(USUAL);
    }

    static boolean optional(ConfigNode node) {
        return node.field("optional", "let pass what is nothing of that kind").bool(false);
    }
}
