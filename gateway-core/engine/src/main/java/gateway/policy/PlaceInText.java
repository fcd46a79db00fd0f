package gateway.policy;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where in the text of a template one is: within a string of JSON, within a tag of markup and where there, or in
/// neither. Escaped values stay values in some of these places alone. Tags end as they do for browsers (HTML, 13.2.5),
/// which is how they end in XML that is well formed.
public final class PlaceInText {
    private static final Pattern RUN = Pattern.compile("<([a-z0-9_.-]+:)?(script|style)");
    private static final Pattern RUN_ATTRIBUTE = Pattern.compile("on.*|style|srcdoc");

    private final TemplatePlace kind;
    private final boolean page;
    private final boolean runs;
    private final StringBuilder attribute = new StringBuilder();
    private State state = State.OUTSIDE;
    private boolean tagged;

    /// A place as problems tell it.
    public enum State {
        OUTSIDE("outside of quotes"),
        STRING("within quotes"),
        ESCAPE("behind a backslash"),
        TAG_NAME("in the name of a tag"),
        IN_TAG("in a tag, outside of quotes"),
        NAME("in the name of an attribute"),
        AFTER_NAME("in a tag, outside of quotes"),
        BEFORE_VALUE("as an attribute without quotes"),
        UNQUOTED("as an attribute without quotes"),
        QUOTED("in an attribute that is run"),
        APOSTROPHES("in an attribute that is run"),
        COMMENT("in a comment or other markup that is no tag");

        private final String words;

        State(String words) {
            this.words = words;
        }
    }

    /// @param kind [TemplatePlace#JSON], [TemplatePlace#XML] or [TemplatePlace#HTML]; in others values may stand
    /// anywhere
    /// @param text all of it
    public PlaceInText(TemplatePlace kind, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean xml = kind == TemplatePlace.XML;
        this.kind = kind;
        this.page = kind == TemplatePlace.HTML
                || (xml && (lower.contains("www.w3.org/1999/xhtml") || lower.contains("www.w3.org/2000/svg")));
        this.runs = page && RUN.matcher(lower).find();
    }

    /// What keeps values out of all of the text.
    public Optional<String> flaw() {
        return runs
                ? Optional.of("expected no script and no style: values are not escaped for them")
                : Optional.empty();
    }

    /// What is wrong with `placeholder` here, where escaping its value would not help.
    public Optional<String> flaw(String placeholder) {
        if (takesValues()) return Optional.empty();
        String where = kind == TemplatePlace.JSON
                ? "within the quotes of a text"
                : "in a text or within the quotes of an attribute";
        return Optional.of("expected " + placeholder + ' ' + where + ", got it " + state.words);
    }

    private boolean takesValues() {
        if (kind == TemplatePlace.JSON) return state == State.STRING;
        return switch (state) {
            case OUTSIDE, STRING -> true;
            case QUOTED, APOSTROPHES ->
                !page || !RUN_ATTRIBUTE.matcher(attribute).matches();
            case COMMENT -> kind == TemplatePlace.HTML && !tagged; // one with tags may be none to a browser
            case ESCAPE, TAG_NAME, IN_TAG, NAME, AFTER_NAME, BEFORE_VALUE, UNQUOTED -> false;
        };
    }

    /// Whether a value of JSON may stand here with quotes of its own.
    public boolean takesWhole() {
        return kind == TemplatePlace.JSON && state == State.OUTSIDE;
    }

    public State state() {
        return state;
    }

    /// Whether the text goes on here as it would from `other`, if what lies between is left out.
    public boolean joins(State other) {
        if (state == other) return true;
        if (!isBetweenValues(state) || !isBetweenValues(other)) return false;
        state = State.UNQUOTED; // of them all the one that leads to the fewest quotes
        return true;
    }

    private static boolean isBetweenValues(State state) {
        return switch (state) {
            case TAG_NAME, IN_TAG, NAME, AFTER_NAME, UNQUOTED -> true;
            case OUTSIDE, STRING, ESCAPE, BEFORE_VALUE, QUOTED, APOSTROPHES, COMMENT -> false;
        };
    }

    /// Goes on behind a part of the text.
    public void pass(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (kind == TemplatePlace.JSON) state = json(text.charAt(i));
            else if (kind == TemplatePlace.XML || kind == TemplatePlace.HTML) state = markup(text, i);
        }
    }

    private State json(char c) {
        if (state == State.ESCAPE) return State.STRING;
        if (c == '"') return state == State.STRING ? State.OUTSIDE : State.STRING;
        return c == '\\' && state == State.STRING ? State.ESCAPE : state;
    }

    private State markup(String text, int at) {
        char c = text.charAt(at);
        return switch (state) {
            case COMMENT -> comment(text, at);
            case QUOTED -> c == '"' ? State.IN_TAG : State.QUOTED;
            case APOSTROPHES -> c == '\'' ? State.IN_TAG : State.APOSTROPHES;
            case OUTSIDE, STRING, ESCAPE -> c == '<' ? begun(text, at + 1) : State.OUTSIDE;
            case TAG_NAME, IN_TAG, NAME, AFTER_NAME, BEFORE_VALUE, UNQUOTED -> c == '>' ? State.OUTSIDE : tag(c);
        };
    }

    private State tag(char c) {
        boolean blank = c == ' ' || (c >= '\t' && c <= '\r');
        return switch (state) {
            case UNQUOTED -> blank ? State.IN_TAG : State.UNQUOTED;
            case BEFORE_VALUE -> blank ? State.BEFORE_VALUE : value(c);
            case TAG_NAME -> blank || c == '/' ? State.IN_TAG : State.TAG_NAME;
            case NAME, AFTER_NAME -> blank ? State.AFTER_NAME : c == '=' ? State.BEFORE_VALUE : name(c);
            case IN_TAG, OUTSIDE, STRING, ESCAPE, QUOTED, APOSTROPHES, COMMENT -> blank ? State.IN_TAG : name(c);
        };
    }

    private State name(char c) {
        if (c == '/') return State.IN_TAG;
        if (state != State.NAME) attribute.setLength(0);
        attribute.append(Character.toLowerCase(c));
        return State.NAME;
    }

    private static State value(char c) {
        return c == '"' ? State.QUOTED : c == '\'' ? State.APOSTROPHES : State.UNQUOTED;
    }

    private State comment(String text, int at) {
        tagged |= text.charAt(at) == '<' || text.charAt(at) == '>';
        String end = text.substring(Math.max(0, at - 2), at + 1);
        boolean over = end.equals("-->") || end.equals("]]>") || end.endsWith("?>");
        return over ? State.OUTSIDE : State.COMMENT;
    }

    private State begun(String text, int at) {
        boolean tag = !text.startsWith("!--", at) && !text.startsWith("![", at) && !text.startsWith("?", at);
        tagged = false;
        return tag ? State.TAG_NAME : State.COMMENT;
    }
}
