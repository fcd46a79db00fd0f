package gateway.policies.message.template;

/// Where in its text a template is: within a string of JSON, within a tag of markup, or in neither.
final class PlaceInText {
    private static final int OUTSIDE = 0;
    private static final int STRING = 1;
    private static final int TAG = 2;
    private static final int QUOTED = 3;
    private static final int APOSTROPHES = 4;
    private static final int COMMENT = 5; // and other markup that is no tag
    private static final int ESCAPE = 6; // behind a backslash within a string

    private final TemplateKind kind;
    private int state = OUTSIDE;

    PlaceInText(TemplateKind kind) {
        this.kind = kind;
    }

    int state() {
        return state;
    }

    /// Whether a value, escaped, stays a value here.
    boolean takesValues() {
        return state != TAG && state != COMMENT && state != ESCAPE;
    }

    /// Whether a value of JSON stands here with quotes of its own.
    boolean takesWhole() {
        return state == OUTSIDE;
    }

    void pass(String text) {
        switch (kind) {
            case JSON -> json(text);
            case XML, HTML -> markup(text);
            case FORM, TEXT -> {}
        }
    }

    private void json(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            state = switch (state) {
                case ESCAPE -> STRING;
                case STRING -> c == '"' ? OUTSIDE : c == '\\' ? ESCAPE : STRING;
                default -> c == '"' ? STRING : OUTSIDE;
            };
        }
    }

    private void markup(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            state = switch (state) {
                case TAG -> c == '>' ? OUTSIDE : c == '"' ? QUOTED : c == '\'' ? APOSTROPHES : TAG;
                case QUOTED -> c == '"' ? TAG : QUOTED;
                case APOSTROPHES -> c == '\'' ? TAG : APOSTROPHES;
                case COMMENT -> endsMarkup(text, i) ? OUTSIDE : COMMENT;
                default -> c == '<' ? begun(text, i + 1) : OUTSIDE;
            };
        }
    }

    private static boolean endsMarkup(String text, int last) {
        String end = text.substring(Math.max(0, last - 2), last + 1);
        return end.equals("-->") || end.equals("]]>") || end.endsWith("?>");
    }

    private static int begun(String text, int at) {
        boolean tag = !text.startsWith("!--", at) && !text.startsWith("![", at) && !text.startsWith("?", at);
        return tag ? TAG : COMMENT;
    }
}
