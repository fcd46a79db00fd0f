package gateway.service;

import java.util.List;

/// As much of a client's text as a waiting record or span keeps: clients choose its length, and many may wait.
public final class Excerpt {
    private static final int MOST = 8 << 10; // bytes of UTF-8
    private static final int WIDEST = 3; // bytes of UTF-8 that a char takes; a surrogate pair takes 4

    private Excerpt() {}

    /// The first 8 KiB of `text` in UTF-8, up to its last whole character.
    public static String of(String text) {
        if (text.length() <= MOST / WIDEST) return text;
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            bytes += width(character);
            if (bytes > MOST) return text.substring(0, i);
            i += Character.charCount(character);
        }
        return text;
    }

    /// The same of each of `texts`.
    static List<String> ofEach(List<String> texts) {
        for (String text : texts) {
            if (text.length() > MOST / WIDEST)
                return texts.stream().map(Excerpt::of).toList();
        }
        return List.copyOf(texts);
    }

    private static int width(int character) {
        if (character < 0x80) return 1;
        if (character < 0x800) return 2;
        return character < 0x10000 ? 3 : 4;
    }
}
