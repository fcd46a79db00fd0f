package gateway.policies.message.jose;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// What a message may be, and whether it was meant to be that where it is not well made: an upstream that reads less
/// strictly would take it for one, so that it is not let pass as what is nothing of that kind.
enum JoseKind {
    SIGNED(Pattern.compile("[\\w=+/-]+(\\.[\\w=+/-]*){2}")),
    ENCRYPTED(Pattern.compile("[\\w=+/-]+(\\.[\\w=+/-]*){4}"));

    private static final Set<String> TYPES = Set.of(Signing.JOSE, Signing.JWT, Signing.JOSE_JSON);

    private final Pattern compact;

    /// @param compact that form, well or badly encoded
    JoseKind(Pattern compact) {
        this.compact = compact;
    }

    /// Whether it is the JSON form, well or badly made.
    boolean isIn(JsonNode object) {
        return switch (this) {
            case SIGNED -> object.has("signature") || object.has("signatures");
            case ENCRYPTED -> object.has("ciphertext");
        };
    }

    /// Whether what stands at `part` was meant to be of this kind, though it is none.
    boolean isMeant(JoseMessage message, JosePart part, JoseForm form) {
        if (form == JoseForm.DETACHED) return false; // which is there or not
        Optional<String> text = text(message, part);
        if (text.isEmpty()) return false;
        if (looksSo(text.get())) return true;
        boolean unclear = form == JoseForm.JSON && text.get().startsWith("{"); // two readers may take it for two things
        if (unclear && message.object(part).isEmpty()) return true;
        boolean said = part instanceof JosePart.Body
                && message.type().filter(JoseKind::isJose).isPresent();
        return said && !other().isThere(message, part, text.get());
    }

    private static Optional<String> text(JoseMessage message, JosePart part) {
        try {
            return message.text(part);
        } catch (BadJoseException _) { // neither form is anything but text
            return Optional.empty();
        }
    }

    private boolean looksSo(String text) {
        return compact.matcher(text).matches();
    }

    private boolean isThere(JoseMessage message, JosePart part, String text) {
        return looksSo(text) || message.object(part).filter(this::isIn).isPresent();
    }

    private JoseKind other() {
        return this == SIGNED ? ENCRYPTED : SIGNED;
    }

    private static boolean isJose(String contentType) {
        return TYPES.contains(contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }
}
