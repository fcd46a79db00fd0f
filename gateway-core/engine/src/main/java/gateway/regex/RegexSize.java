package gateway.regex;

import gateway.regex.RegexCursor.Repeat;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Pattern;

/// How large RE2/J's program for a regular expression becomes at most, told from its text alone. What is not an
/// expression at all is measured up to where RE2/J stops reading it too.
///
/// @param instructions those of the program, a counted repetition being as many copies, and some more for what classes
/// cost besides
/// @param depth how deep groups nest
/// @param flaw why it cannot be compiled whatever its size
record RegexSize(long instructions, int depth, Optional<String> flaw) {
    private static final long HUGE = 1L << 30; // what comes past it is cut to it, so nothing overflows
    private static final int UNICODE_CLASS = 150; // hundreds of ranges, copied and merged
    private static final int FOLDED_AT_ONCE = 16;

    private static final Pattern FOLDING = Pattern.compile("\\(\\?[msU-]*i");

    static RegexSize of(String text, boolean ignoreCase) {
        return new Scan(text, ignoreCase || FOLDING.matcher(text).find()).size();
    }

    /// What an alternative or group holds so far.
    private static final class Group {
        private final int own; // its capture's instructions
        private long closed;
        private long atom; // what a repetition that follows repeats
        private boolean empty = true;

        Group(int own) {
            this.own = own;
        }

        void add(long instructions) {
            closed += atom;
            atom = instructions;
            empty = false;
        }

        void repeat(int min, int max) {
            long copies = min * atom;
            if (max == Repeat.WITHOUT_END) atom = cut(Math.max(copies, atom) + 2);
            else atom = cut(Math.max(1, copies + (max - min) * (atom + 1)));
        }

        void alternative() {
            closed = cut(closed + atom + (empty ? 2 : 1));
            atom = 0;
            empty = true;
        }

        long all() {
            return cut(own + closed + atom + (empty ? 1 : 0));
        }

        private static long cut(long instructions) {
            return Math.min(instructions, HUGE);
        }
    }

    private static final class Scan {
        private final RegexCursor text;
        private final boolean folds;
        private final Deque<Group> outer = new ArrayDeque<>();
        private Group group = new Group(0);
        private long classes;
        private int depth;
        private Optional<String> flaw = Optional.empty();

        Scan(String text, boolean folds) {
            this.text = new RegexCursor(text);
            this.folds = folds;
        }

        RegexSize size() {
            while (text.more()) next();
            while (!outer.isEmpty()) close();
            return new RegexSize(group.all() + classes + 2, depth, flaw);
        }

        private void next() {
            int character = text.pop();
            switch (character) {
                case '(' -> open();
                case ')' -> close();
                case '|' -> group.alternative();
                case '*' -> group.repeat(0, Repeat.WITHOUT_END);
                case '+' -> group.repeat(1, Repeat.WITHOUT_END);
                case '?' -> group.repeat(0, 1);
                case '{' -> counted();
                case '[' -> characterClass();
                case '\\' -> escape();
                case '^', '$', '.' -> group.add(1);
                default -> literal(character);
            }
        }

        private void open() {
            boolean captures = !text.lookingAt('?') || text.skipName();
            if (!captures && !text.flags()) return;
            outer.push(group);
            group = new Group(captures ? 2 : 0);
            depth = Math.max(depth, outer.size());
        }

        private void close() {
            if (outer.isEmpty()) return; // RE2/J refuses it
            long instructions = group.all();
            group = outer.pop();
            group.add(instructions);
        }

        private void counted() {
            Repeat repeat = text.repeat();
            if (repeat == null) group.add(1);
            else group.repeat(repeat.min(), repeat.max());
        }

        private void escape() {
            if (text.skip("Q")) {
                for (int character : text.quoted().codePoints().toArray()) literal(character);
                return;
            }
            if (unicodeClass()) {
                group.add(1);
                return;
            }
            if (text.skipOneOf("AbBzdDsSwW")) group.add(1);
            else literal(text.escaped());
        }

        private boolean unicodeClass() {
            if (!text.skipUnicodeClass()) return false;
            classes += UNICODE_CLASS;
            return true;
        }

        private void characterClass() {
            group.add(1);
            text.skip("^");
            boolean first = true;
            while (text.more() && (first || !text.lookingAt(']'))) {
                first = false;
                classMember();
            }
            text.skip("]");
        }

        private void classMember() {
            if (text.skipNamedClass()) return;
            boolean escapes = text.skip("\\");
            if (escapes && (unicodeClass() || text.skipOneOf("dDsSwW"))) return;
            int from = escapes ? text.escaped() : text.pop();
            range(from, text.skipRangeSign() ? text.classCharacter() : from);
        }

        private void literal(int character) {
            group.add(1);
            range(character, character);
        }

        private void range(int from, int to) {
            if (!folds) return;
            classes += CaseFolding.folded(from, to) / FOLDED_AT_ONCE;
            if (CaseFolding.isEndless(from, to)) {
                flaw = Optional.of("expected no characters whose upper case RE2 does not know, such as U+1C80, where"
                        + " case does not matter");
            }
        }
    }
}
