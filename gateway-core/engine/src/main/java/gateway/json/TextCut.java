package gateway.json;

/// What is kept of a text that may be long. No character is cut in two: beyond U+FFFF one takes two places.
public final class TextCut {
    private TextCut() {}

    /// The first `most` places of `text`, or one less.
    public static String of(String text, int most) {
        return text.length() <= most ? text : text.substring(0, border(text, most));
    }

    /// The same, with `…` where something is left out.
    public static String told(String text, int most) {
        return text.length() <= most ? text : of(text, most) + '…';
    }

    /// Both ends of `text`, each of at most so many places, with `…` between them where something is left out.
    public static String ends(String text, int each) {
        if (text.length() <= 2 * each) return text;
        int from = text.length() - each;
        return told(text, each) + text.substring(border(text, from) == from ? from : from + 1);
    }

    /// `at`, or the place before where `at` is within a character.
    ///
    /// @param at within `text`, and not its first
    public static int border(String text, int at) {
        boolean within = Character.isLowSurrogate(text.charAt(at)) && Character.isHighSurrogate(text.charAt(at - 1));
        return within ? at - 1 : at;
    }
}
