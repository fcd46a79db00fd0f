package gateway.policies.script.javascript;

/// Finds a text in another in time that grows with both and not with their product (Knuth, Morris and Pratt 1977). Of
/// `String.indexOf` a caller who chooses both texts makes hours.
final class TextSearch {
    private static final int SHORT = 16; // for these the JDK is at most so many times as slow as ours
    private static final int CHARACTERS = 16; // that one instruction of a budget pays for

    private TextSearch() {}

    /// @param from where to begin, 0 or later
    /// @return where `wanted` begins, -1: nowhere
    static int first(SandboxContext context, String text, String wanted, int from) {
        int found = wanted.length() <= SHORT ? text.indexOf(wanted, from) : firstOfLong(text, wanted, from);
        int end = found < 0 ? text.length() : found;
        spend(context, end - from + wanted.length());
        return found;
    }

    private static int firstOfLong(String text, String wanted, int from) {
        int[] fallback = fallback(wanted);
        for (int i = from, matched = 0; i < text.length(); i++) {
            matched = step(wanted, fallback, matched, text.charAt(i));
            if (matched == wanted.length()) return i - matched + 1;
        }
        return -1;
    }

    /// @param from the last place that is wanted
    static int last(SandboxContext context, String text, String wanted, int from) {
        spend(context, text.length() + wanted.length());
        if (wanted.length() <= SHORT) return text.lastIndexOf(wanted, from);
        int[] fallback = fallback(wanted);
        int found = -1;
        int end = (int) Math.min(text.length(), (long) from + wanted.length());
        for (int i = 0, matched = 0; i < end; i++) {
            if (matched == wanted.length()) matched = fallback[matched];
            matched = step(wanted, fallback, matched, text.charAt(i));
            if (matched == wanted.length()) found = i - matched + 1;
        }
        return found;
    }

    private static void spend(SandboxContext context, int characters) {
        context.spend(1 + characters / CHARACTERS);
    }

    private static int step(String wanted, int[] fallback, int matched, char next) {
        while (matched > 0 && wanted.charAt(matched) != next) matched = fallback[matched];
        return wanted.charAt(matched) == next ? matched + 1 : 0;
    }

    /// By how much matches: the length of the longest shorter beginning that it ends with.
    private static int[] fallback(String wanted) {
        var lengths = new int[wanted.length() + 1];
        for (int i = 1, matched = 0; i < wanted.length(); i++) {
            matched = step(wanted, lengths, matched, wanted.charAt(i));
            lengths[i + 1] = matched;
        }
        return lengths;
    }
}
