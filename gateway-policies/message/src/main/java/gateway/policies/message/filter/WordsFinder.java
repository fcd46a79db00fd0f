package gateway.policies.message.filter;

import java.util.List;
import java.util.Optional;

/// A whole word, in whatever case: what stands before and behind it is neither letter nor digit.
///
/// @param word ASCII, lower case
record WordsFinder(String word) implements TextFinder {
    @Override
    public List<String> literals() {
        return List.of(word);
    }

    @Override
    public Optional<int[]> next(String text, int from) {
        int last = text.length() - word.length();
        for (int at = from; at <= last; at++) {
            if (LiteralIndex.fold(text.charAt(at)) == word.charAt(0) && stands(text, at))
                return Optional.of(new int[] {at, at + word.length()});
        }
        return Optional.empty();
    }

    private boolean stands(String text, int at) {
        int end = at + word.length();
        if (at > 0 && Character.isLetterOrDigit(text.charAt(at - 1))) return false;
        if (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) return false;
        for (int i = 1; i < word.length(); i++)
            if (LiteralIndex.fold(text.charAt(at + i)) != word.charAt(i)) return false;
        return true;
    }
}
