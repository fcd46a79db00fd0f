package gateway.capture;

import gateway.capture.BodyText.State;
import java.util.Optional;

/// What is hidden in bodies: members of JSON by their paths, parameters of forms by their names.
///
/// Text that cannot be searched is left out rather than recorded as it is. Where JSON is to be masked, the content must
/// be JSON, or a form that can be nothing else, whatever its `Content-Type` claims: `curl -d '{…}'` calls JSON a form,
/// and servers take it as JSON all the same.
public record BodyMask(ParameterMask parameters, JsonMask json) {
    public static final BodyMask NOTHING = new BodyMask(ParameterMask.NOTHING, JsonMask.NOTHING);
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String NOT_OF_FORMS = "\"'{}<>"; // what an encoded form does not hold

    /// @param mediaType in lower case, without parameters
    /// @param cut whether `text` is only the beginning
    BodyText mask(String text, String mediaType, boolean cut) {
        if (json.hidesNothing() && parameters.hidesNothing()) return of(text, cut);
        if (mediaType.startsWith("multipart/")) return BodyText.leftOut(State.UNMASKABLE);
        if (json.hidesNothing() || (mediaType.equals(FORM) && isForm(text))) return of(parameters.mask(text), cut);
        Optional<String> masked = json.mask(text, cut);
        return masked.map(shown -> of(shown, cut)).orElseGet(() -> BodyText.leftOut(State.UNMASKABLE));
    }

    private static BodyText of(String text, boolean cut) {
        return new BodyText(cut ? State.TRUNCATED : State.WHOLE, text);
    }

    private static boolean isForm(String text) {
        if (text.isBlank() || text.strip().startsWith("[")) return false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || NOT_OF_FORMS.indexOf(c) >= 0) return false;
        }
        return true;
    }
}
