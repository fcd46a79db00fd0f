package gateway.policies.message.graphql;

/// One pass over a document before it is parsed, which ends at the first thing too many: neither a tree nor a stack
/// grows with what a client sends.
final class QueryScan {
    private static final int MOST_NESTED = 200; // brackets of all kinds; ten rules of the grammar for each at most
    private static final int LONGEST_WORD = 256; // of names and numbers, whose digits are computed with
    private static final String BLOCK = "\"\"\"";

    private final String text;
    private final int mostTokens;
    private int at;
    private int tokens;
    private int nested;

    private QueryScan(String text, int mostTokens) {
        this.text = text;
        this.mostTokens = mostTokens;
    }

    /// How many tokens it has.
    ///
    /// @throws QueryRefusedException when these are more than it may have, or it is nested too deeply,
    ///     whatever else it is
    static int tokens(String text, int mostTokens) {
        var scan = new QueryScan(text, mostTokens);
        while (scan.at < text.length()) scan.step();
        return scan.tokens;
    }

    private void step() {
        char c = text.charAt(at);
        switch (c) {
            case ' ', '\t', '\r', '\n', ',', '\uFEFF' -> at++;
            case '#' -> skipComment();
            case '"' -> skipText();
            case '{', '[', '(' -> open();
            case '}', ']', ')' -> {
                nested--;
                at++;
                token();
            }
            default -> {
                if (isWord(c)) skipWord();
                else at++;
                token();
            }
        }
    }

    private void token() {
        if (++tokens > mostTokens) throw QueryRefusedException.tooManyTokens(mostTokens);
    }

    private void open() {
        if (++nested > MOST_NESTED)
            throw QueryRefusedException.tooComplex("at most " + MOST_NESTED + " brackets within each other");
        at++;
        token();
    }

    /// Counts too, as it does for the parser.
    private void skipComment() {
        token();
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') at++;
    }

    private void skipWord() {
        int begin = at;
        while (at < text.length() && isWord(text.charAt(at))) at++;
        if (at - begin > LONGEST_WORD)
            throw QueryRefusedException.tooComplex("names and numbers of at most " + LONGEST_WORD + " characters");
    }

    private void skipText() {
        token();
        if (text.startsWith(BLOCK, at)) {
            int end = at + BLOCK.length();
            do end = text.indexOf(BLOCK, end) + BLOCK.length();
            while (end > BLOCK.length() && text.charAt(end - BLOCK.length() - 1) == '\\');
            skipBlock(end < BLOCK.length() ? text.length() : end);
            return;
        }
        at++;
        while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\n') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }

    /// Each blank line that it begins with counts: to take one off, the parser moves all others.
    private void skipBlock(int end) {
        for (int i = at + BLOCK.length(); i < end && text.charAt(i) <= ' '; i++) if (text.charAt(i) == '\n') token();
        at = end;
    }

    private static boolean isWord(char c) {
        return c == '_' || c == '-' || (c >= '0' && c <= '9') || ((c | ' ') >= 'a' && (c | ' ') <= 'z');
    }
}
