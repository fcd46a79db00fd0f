package gateway.policies.message.filter;

import gateway.json.ConfigNode;
import gateway.json.TextCut;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// How values are disguised, and what is undone before they are looked at.
///
/// @param undone each once, in the order of the constants
record ValueDecoding(Set<Disguise> undone) {
    /// Ways to write the same characters.
    enum Disguise {
        /// `%3c`, and `+` where a query has it.
        URL,
        /// `&lt;`, `&#60;`, `&#x3c;`.
        HTML,
        /// Escapes of JavaScript, `%u003c`, and forms that look the same, such as full-width ones.
        UNICODE,
        /// Values that are wholly so.
        BASE64
    }

    private static final int ASCII = 128;
    private static final int PIECE = 256; // characters that are put into their normal form at once
    private static final Pattern WHOLLY_BASE64 = Pattern.compile("[A-Za-z0-9+/_-]{16,}={0,2}");

    ValueDecoding {
        undone = Set.copyOf(undone);
    }

    static ValueDecoding read(ConfigNode node) {
        if (!node.unlessGiven("`url`").isPresent()) {
            node.list(each -> each.choice(Disguise.URL));
            return new ValueDecoding(EnumSet.of(Disguise.URL));
        }
        return new ValueDecoding(Set.copyOf(node.list(each -> each.choice(Disguise.URL))));
    }

    /// What a value may stand for, itself first; at most four texts, none of them longer than eighteen times it.
    ///
    /// @param sentEncoded whether it is percent-encoded by where it stands
    List<String> readings(String value, boolean sentEncoded) {
        if (!undoesWhole() && isBare(value, sentEncoded)) return List.of(value);
        var readings = new ArrayList<String>(4);
        readings.add(value);
        String own = sentEncoded ? Escapes.percent(value, true) : value;
        addUnlessThere(readings, own);
        String plain = own;
        if (undone.contains(Disguise.URL)) plain = Escapes.percent(plain, false);
        if (undone.contains(Disguise.HTML)) plain = Escapes.entities(plain);
        if (undone.contains(Disguise.UNICODE)) plain = normalized(Escapes.units(plain));
        addUnlessThere(readings, plain);
        if (undone.contains(Disguise.BASE64) && WHOLLY_BASE64.matcher(own).matches())
            addUnlessThere(readings, unpacked(own));
        return readings;
    }

    /// Whether a value is undone as a whole, whatever characters it is of.
    boolean undoesWhole() {
        return undone.contains(Disguise.BASE64);
    }

    /// Whether a value stands for itself alone, character by character.
    boolean isBare(String value, boolean sentEncoded) {
        for (int i = 0; i < value.length(); i++) if (undoes(value.charAt(i), sentEncoded)) return false;
        return true;
    }

    /// Whether what begins with a character, or is it, may stand for another one.
    boolean undoes(char c, boolean sentEncoded) {
        return switch (c) {
            case '%' -> sentEncoded || undone.contains(Disguise.URL) || undone.contains(Disguise.UNICODE);
            case '+' -> sentEncoded;
            case '&' -> undone.contains(Disguise.HTML);
            case '\\' -> undone.contains(Disguise.UNICODE);
            default -> c >= ASCII && undone.contains(Disguise.UNICODE);
        };
    }

    /// In pieces: the time in which marks are put in order grows with the square of their number.
    private static String normalized(String text) {
        var whole = new StringBuilder(text.length());
        for (int from = 0; from < text.length(); ) {
            int end = end(text, from);
            whole.append(Normalizer.normalize(text.substring(from, end), Normalizer.Form.NFKC));
            from = end;
        }
        return whole.toString();
    }

    /// Before a letter or ASCII, so that marks stay with theirs, unless there are too many.
    private static int end(String text, int from) {
        int most = from + PIECE;
        if (most >= text.length()) return text.length();
        for (int i = most; i > from; i--) if (begins(text.charAt(i))) return i;
        return TextCut.border(text, most);
    }

    private static boolean begins(char c) {
        return c < ASCII
                || switch (Character.getType(c)) {
                    case Character.UPPERCASE_LETTER, Character.LOWERCASE_LETTER, Character.OTHER_LETTER -> true;
                    default -> false;
                };
    }

    private static void addUnlessThere(List<String> readings, String text) {
        if (!readings.contains(text)) readings.add(text);
    }

    private static String unpacked(String text) {
        String usual = text.replace('-', '+').replace('_', '/');
        try {
            return new String(Base64.getDecoder().decode(usual), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return text;
        }
    }
}
