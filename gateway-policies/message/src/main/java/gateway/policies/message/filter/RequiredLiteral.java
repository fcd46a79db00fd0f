package gateway.policies.message.filter;

import java.util.Optional;

/// A text that every match of a regular expression holds, told from the expression alone: the longest run of plain
/// characters outside of its groups, if there is no alternative beside them. None where that is not sure.
final class RequiredLiteral {
    private static final int LEAST = 3;

    private final String text;
    private final StringBuilder run = new StringBuilder();
    private String longest = "";
    private int at;

    private RequiredLiteral(String text) {
        this.text = text;
    }

    static Optional<String> of(String expression) {
        var scan = new RequiredLiteral(expression);
        return scan.sure() && scan.longest.length() >= LEAST ? Optional.of(scan.longest) : Optional.empty();
    }

    private boolean sure() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case '|' -> {
                    return false;
                }
                case '(' -> {
                    if (!pastGroup()) return false;
                    end();
                }
                case '[' -> {
                    pastClass();
                    end();
                }
                case '\\' -> {
                    if (at == text.length() || !escaped(text.charAt(at++))) return false;
                }
                case '*', '?', '{' -> {
                    if (!run.isEmpty()) run.setLength(run.length() - 1); // what it repeats may come not at all
                    end();
                    if (c == '{') at = Math.max(at, text.indexOf('}', at) + 1);
                }
                case '+', '.', '^', '$', ')' -> end();
                default -> {
                    if (c < ' ' || c > '~') end();
                    else run.append(c);
                }
            }
        }
        end();
        return true;
    }

    private void end() {
        if (run.length() > longest.length()) longest = run.toString();
        run.setLength(0);
    }

    /// Whether what stands behind a backslash is understood here.
    private boolean escaped(char c) {
        if (c > '~' || c == 'Q' || c == 'p' || c == 'P' || c == 'x' || Character.isDigit(c)) return false;
        if (Character.isLetter(c)) end();
        else run.append(c);
        return true;
    }

    private boolean pastGroup() {
        for (int depth = 1; depth > 0; ) {
            if (at >= text.length()) return false;
            char c = text.charAt(at++);
            if (c == '\\') {
                if (at < text.length() && text.charAt(at) == 'Q') return false;
                at++;
            } else if (c == '[') pastClass();
            else if (c == '(') depth++;
            else if (c == ')') depth--;
        }
        return true;
    }

    private void pastClass() {
        if (at < text.length() && text.charAt(at) == '^') at++;
        if (at < text.length() && text.charAt(at) == ']') at++;
        while (at < text.length() && text.charAt(at) != ']') {
            if (text.startsWith("[:", at) && text.indexOf(":]", at) > 0) at = text.indexOf(":]", at) + 2;
            else at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }
}
