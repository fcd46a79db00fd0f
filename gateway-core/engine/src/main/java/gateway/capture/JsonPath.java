package gateway.capture;

import java.util.ArrayList;
import java.util.List;

/// A path to members of JSON, of the part of JSONPath (RFC 9535) that needs no look ahead: `$.card.number`,
/// `$['card no']`, `$.items[*].secret`, `$.items[0]`, `$.*`, and `$..token` at any depth.
///
/// Names count without regard to case, as many servers bind them.
///
/// @param steps from the root on; 1 to [#MOST_STEPS]
record JsonPath(List<Step> steps) {
    static final int MOST_STEPS = 32;

    /// @param name of a member; empty when any will do or `index` says which
    /// @param index of an element; [#ANY] for every member and element, [#BY_NAME] for a member
    /// @param anywhere whether levels may lie between this step and the one before
    record Step(String name, int index, boolean anywhere) {
        static final int ANY = -1;
        static final int BY_NAME = -2;

        boolean takesMember(String found) {
            return index == ANY || (index == BY_NAME && name.equalsIgnoreCase(found));
        }

        boolean takesElement(int place) {
            return index == ANY || index == place;
        }
    }

    JsonPath {
        steps = List.copyOf(steps);
    }

    /// @throws IllegalArgumentException with what is wrong where
    static JsonPath parse(String text) {
        return new Parser(text).path();
    }

    private static final class Parser {
        private static final int LONGEST_INDEX = 9; // digits
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        JsonPath path() {
            if (!skip("$")) throw wrong("expected \"$\"");
            var steps = new ArrayList<Step>();
            while (at < text.length()) {
                steps.add(step());
                if (steps.size() > MOST_STEPS) throw wrong("expected " + MOST_STEPS + " steps at most");
            }
            if (steps.isEmpty()) throw wrong("expected a step such as \".password\"");
            return new JsonPath(steps);
        }

        private Step step() {
            boolean anywhere = skip("..");
            if (skip("[")) return bracketed(anywhere);
            if (!anywhere && !skip(".")) throw wrong("expected \".\" or \"[\"");
            if (skip("*")) return new Step("", Step.ANY, anywhere);
            int start = at;
            while (at < text.length() && isNamePart(text.charAt(at))) at++;
            if (at == start) throw wrong("expected a name");
            return new Step(text.substring(start, at), Step.BY_NAME, anywhere);
        }

        private Step bracketed(boolean anywhere) {
            Step step;
            if (skip("*")) step = new Step("", Step.ANY, anywhere);
            else if (skip("'")) step = new Step(quoted('\''), Step.BY_NAME, anywhere);
            else if (skip("\"")) step = new Step(quoted('"'), Step.BY_NAME, anywhere);
            else step = new Step("", index(), anywhere);
            if (!skip("]")) throw wrong("expected \"]\"");
            return step;
        }

        private int index() {
            int start = at;
            while (at < text.length() && at - start < LONGEST_INDEX && isDigit(text.charAt(at))) at++;
            if (at == start) throw wrong("expected \"*\", an index or a quoted name");
            return Integer.parseInt(text.substring(start, at));
        }

        private String quoted(char quote) {
            var name = new StringBuilder();
            while (at < text.length() && text.charAt(at) != quote) {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) at++;
                name.append(text.charAt(at++));
            }
            if (at == text.length()) throw wrong("expected " + quote);
            at++;
            return name.toString();
        }

        private boolean skip(String expected) {
            if (!text.startsWith(expected, at)) return false;
            at += expected.length();
            return true;
        }

        private static boolean isNamePart(char c) {
            return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '$' || c == '@';
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        private IllegalArgumentException wrong(String expected) {
            return new IllegalArgumentException(expected + " at character " + (at + 1));
        }
    }
}
