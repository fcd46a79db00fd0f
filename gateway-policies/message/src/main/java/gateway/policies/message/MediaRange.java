package gateway.policies.message;

import gateway.json.ConfigNode;
import java.util.regex.Pattern;

/// Some media types: one, such as `application/json`, all of a kind, such as `text/*`, or all with a suffix, such as
/// `*/*+json`.
///
/// @param type in lower case, or `*`
/// @param subtype in lower case, or `*`, or `*+` and a suffix
public record MediaRange(String type, String subtype) {
    private static final String WORD = "[A-Za-z0-9!#$&^_.-]{1,80}";
    private static final Pattern FORM =
            Pattern.compile("(" + WORD + "|\\*)/(" + WORD + "(\\+" + WORD + ")?|\\*(\\+" + WORD + ")?)");

    static MediaRange of(String text) {
        int slash = text.indexOf('/');
        String lower = text.toLowerCase(java.util.Locale.ROOT);
        return new MediaRange(lower.substring(0, slash), lower.substring(slash + 1));
    }

    static MediaRange read(ConfigNode node) {
        String text = node.like(FORM).requiredText();
        if (FORM.matcher(text).matches()) return of(text);
        if (!text.isEmpty()) node.problem("expected a media type such as \"application/json\", got \"" + text + '"');
        return new MediaRange("*", "*");
    }

    /// @param essence a media type without parameters, in lower case
    boolean covers(String essence) {
        int slash = essence.indexOf('/');
        if (slash < 0 || !(type.equals("*") || type.contentEquals(essence.subSequence(0, slash)))) return false;
        if (subtype.equals("*")) return true;
        if (subtype.startsWith("*")) return essence.endsWith(subtype.substring(1));
        return essence.startsWith(subtype, slash + 1) && essence.length() == slash + 1 + subtype.length();
    }
}
