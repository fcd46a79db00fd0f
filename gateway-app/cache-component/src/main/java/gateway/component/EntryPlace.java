package gateway.component;

import gateway.service.TextDigest;
import java.util.Optional;

/// Where an entry lies, or a whole group: `/cache/{group}/{key}` or `/cache/{group}`. Both are of the characters that
/// need no escape in a URL, so that there is one way to write each.
///
/// @param key empty text for the group
record EntryPlace(String group, String key) {
    private static final String BASE = "/cache/";
    private static final int LONGEST_GROUP = 128;
    private static final int LONGEST_KEY = 1024;

    /// Empty for a path that is none.
    static Optional<EntryPlace> of(String path) {
        if (!path.startsWith(BASE)) return Optional.empty();
        int slash = path.indexOf('/', BASE.length());
        String group = slash < 0 ? path.substring(BASE.length()) : path.substring(BASE.length(), slash);
        String key = slash < 0 ? "" : path.substring(slash + 1);
        boolean isWhole = isName(group, LONGEST_GROUP) && (slash < 0 || isName(key, LONGEST_KEY));
        return isWhole ? Optional.of(new EntryPlace(group, key)) : Optional.empty();
    }

    /// What stands for a tag where the key of an entry would: tags are of any characters.
    static String mark(String tag) {
        return TextDigest.of(tag);
    }

    boolean isGroup() {
        return key.isEmpty();
    }

    /// A group lies in one partition, which the part behind `@` decides.
    String partitioned() {
        return key + '@' + group;
    }

    private static boolean isName(String text, int most) {
        if (text.isEmpty() || text.length() > most) return false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!isPlain && "-._~".indexOf(c) < 0) return false;
        }
        return true;
    }
}
