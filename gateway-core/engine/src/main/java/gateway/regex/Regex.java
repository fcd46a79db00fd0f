package gateway.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import gateway.json.ConfigNode;
import java.util.Optional;
import java.util.OptionalInt;

/// A regular expression in RE2 syntax, matched in time linear in the text and in its own size. It is bounded before it
/// is compiled: RE2/J itself writes counted repetitions out without end, so that 27 characters can fill any heap.
///
/// Figures behind the bounds are in `docs/decisions/0134-regular-expressions.md`.
public record Regex(Pattern pattern) {
    static final int LONGEST = 1_000;
    static final int LARGEST = 3_000;
    /// Characters and instructions of all expressions of one document.
    public static final int LARGEST_OF_DOCUMENT = 100_000;
    static final int DEEPEST = 100;

    /// Matches within any text.
    public static final Regex ANY = new Regex(Pattern.compile(""));

    /// The expression at `node`, required; what it costs is added to the cost of the document.
    public static Regex read(ConfigNode node, boolean ignoreCase) {
        String text = node.requiredText();
        Optional<String> flaw = flaw(node, text, ignoreCase);
        if (flaw.isEmpty()) {
            try {
                return new Regex(Pattern.compile(text, ignoreCase ? Pattern.CASE_INSENSITIVE : 0));
            } catch (PatternSyntaxException e) {
                flaw = Optional.of("expected a regular expression in RE2 syntax: " + e.getMessage());
            }
        }
        node.problem(flaw.get());
        return ANY;
    }

    /// Whether it matches `text` from begin to end.
    public boolean matches(String text) {
        return pattern.matches(text);
    }

    /// Whether it matches some part of `text`.
    public boolean isWithin(CharSequence text) {
        return pattern.matcher(text).find();
    }

    /// Where it matches first in `text` from a place on: begin and end; empty when it does not.
    ///
    /// @param from where `^` still does not match unless it is 0
    public Optional<int[]> next(String text, int from) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find(from) ? Optional.of(new int[] {matcher.start(), matcher.end()}) : Optional.empty();
    }

    /// Instructions of its program: what a character of a text may take at most.
    public int size() {
        return pattern.programSize();
    }

    /// Where the groups lie in `text`: begin and end of each in turn, -1 for one that takes no part, first those of the
    /// whole expression. Empty unless it matches from begin to end.
    public Optional<int[]> groups(String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) return Optional.empty();
        var places = new int[2 * (matcher.groupCount() + 1)];
        for (int group = 0; group <= matcher.groupCount(); group++) {
            places[2 * group] = matcher.start(group);
            places[2 * group + 1] = matcher.end(group);
        }
        return Optional.of(places);
    }

    /// How many groups it has besides itself.
    public int groupCount() {
        return pattern.groupCount();
    }

    /// The number of the group called `name`, as in `(?P<name>…)`.
    public OptionalInt group(String name) {
        Integer number = pattern.namedGroups().get(name);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    private static Optional<String> flaw(ConfigNode node, String text, boolean ignoreCase) {
        if (text.length() > LONGEST) return expected(LONGEST, "characters", text.length());
        RegexSize size = RegexSize.of(text, ignoreCase);
        if (size.flaw().isPresent()) return size.flaw();
        if (size.depth() > DEEPEST) return expected(DEEPEST, "groups within each other", size.depth());
        if (size.instructions() > LARGEST) {
            return expected(LARGEST, "instructions, repetitions written out", size.instructions());
        }
        long all = node.addCost(size.instructions() + text.length());
        if (all <= LARGEST_OF_DOCUMENT) return Optional.empty();
        return expected(LARGEST_OF_DOCUMENT, "characters and instructions in all regular expressions", all);
    }

    private static Optional<String> expected(int most, String what, long got) {
        return Optional.of("expected at most " + most + " " + what + ", got " + got);
    }
}
