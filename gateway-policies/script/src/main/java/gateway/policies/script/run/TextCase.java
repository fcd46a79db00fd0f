package gateway.policies.script.run;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/// Changes the case of texts, those characters apart that become several (`ß`): they cost the JDK the square of their
/// number.
public final class TextCase {
    private static final int CHARACTERS = 16; // that one instruction of a budget pays for
    private static final Map<Character, String> UPPER = several(TextCase::toUpper);
    private static final Map<Character, String> LOWER = several(TextCase::toLower);

    private TextCase() {}

    private static String toUpper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    private static String toLower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /// What characters become that become more than one.
    private static Map<Character, String> several(UnaryOperator<String> change) {
        var all = new HashMap<Character, String>();
        for (char each = 0x80; each < Character.MAX_VALUE; each++) {
            String changed = change.apply(String.valueOf(each));
            if (changed.length() > 1) all.put(each, changed);
        }
        return Map.copyOf(all);
    }

    /// @param spend is told of instructions, and ends the script when there are too many
    public static String upper(String text, LongConsumer spend) {
        return changed(text, TextCase::toUpper, UPPER, spend);
    }

    /// @param spend is told of instructions, and ends the script when there are too many
    public static String lower(String text, LongConsumer spend) {
        return changed(text, TextCase::toLower, LOWER, spend);
    }

    private static String changed(
            String text, UnaryOperator<String> change, Map<Character, String> several, LongConsumer spend) {
        spend.accept(1 + text.length() / CHARACTERS);
        StringBuilder made = null;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            String becomes = c < 0x80 ? null : several.get(c);
            if (becomes == null) continue;
            if (made == null) made = new StringBuilder(text.length() + CHARACTERS);
            if (i > begin) made.append(change.apply(text.substring(begin, i)));
            made.append(becomes);
            begin = i + 1;
        }
        if (made == null) return change.apply(text);
        return made.append(change.apply(text.substring(begin))).toString();
    }
}
