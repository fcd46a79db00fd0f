package gateway.policies.message.filter;

import java.util.List;
import java.util.Optional;

/// Numbers of payment cards (ISO/IEC 7812): 13 to 19 digits, in groups or not, that begin as those of issuers do and
/// whose check digit holds (Luhn).
final class CardFinder implements TextFinder {
    private static final int LEAST = 13;
    private static final int MOST = 19;
    private static final int SHORTEST_GROUP = 3; // where dots are between them
    private static final int LONGEST_GROUP = 6;

    @Override
    public List<String> literals() {
        return List.of();
    }

    @Override
    public Optional<int[]> next(String text, int from) {
        for (int at = from; at < text.length(); at++) {
            if (!isDigit(text, at) || (at > 0 && isDigit(text, at - 1))) continue;
            int end = end(text, at);
            if (end > at) return Optional.of(new int[] {at, end});
        }
        return Optional.empty();
    }

    /// Where the number ends that begins at `begin`; -1 when none does.
    private static int end(String text, int begin) {
        int digits = 0;
        int odd = 0; // sums with every second digit doubled, by which the last one is not or is
        int even = 0;
        int at = begin;
        int found = -1;
        while (at < text.length() && digits < MOST) {
            int digit = text.charAt(at) - '0';
            int twice = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
            boolean oddPlace = digits % 2 == 0;
            odd += oddPlace ? digit : twice;
            even += oddPlace ? twice : digit;
            digits++;
            at++;
            int sum = digits % 2 == 1 ? odd : even;
            boolean ends = !isDigit(text, at);
            if (ends && digits >= LEAST && sum % 10 == 0 && isIssued(text, begin)) found = at;
            if (ends) at++; // past one blank, hyphen or dot
            if (ends && !(isSeparator(text, at - 1) && isDigit(text, at))) break;
        }
        return found;
    }

    private static boolean isIssued(String text, int begin) {
        char first = text.charAt(begin);
        return first >= '2' && first <= '6';
    }

    private static boolean isSeparator(String text, int at) {
        if (at >= text.length()) return false;
        char c = text.charAt(at);
        return c == ' '
                || c == '-'
                || (c == '.' && isGroup(digits(text, at - 1, -1)) && isGroup(digits(text, at + 1, 1)));
    }

    /// Digits side by side from a place on, in steps of 1 or -1.
    private static int digits(String text, int from, int step) {
        int count = 0;
        for (int at = from; count <= LONGEST_GROUP && at >= 0 && isDigit(text, at); at += step) count++;
        return count;
    }

    /// Numbers have a dot within them too, but hardly ever so.
    private static boolean isGroup(int digits) {
        return digits >= SHORTEST_GROUP && digits <= LONGEST_GROUP;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    @Override
    public long cost(int length) {
        return length / 8; // a comparison or two a character, and no program to run
    }
}
