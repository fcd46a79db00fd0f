package gateway.http;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A path prefix on segment borders: literal segments and `{name}` ones that bind any one segment. `/orders` covers
/// `/orders` and `/orders/7`, never `/ordersx`; `/` covers every path.
public final class PathPattern {
    /// Of what has no [#flaw], but for names that are bound twice.
    public static final Pattern FORM = form("[^\\x00-\\x20\\x7f{}?#%\\\\/]", "[^\\x00-\\x20\\x7f{}?#%\\\\/.]");

    private static final int MOST_SEGMENTS = 32;

    private final String text;
    private final String[] segments; // "{name}" binds

    private PathPattern(String text, String[] segments) {
        this.text = text;
        this.segments = segments;
    }

    /// @param other one but the dot
    private static Pattern form(String character, String other) {
        String literal = other + character + "*|\\." + other + character + "*|\\.\\." + character + '+';
        return Pattern.compile("/|(/(\\{[A-Za-z_][A-Za-z0-9_-]*\\}|" + literal + ")){1," + MOST_SEGMENTS + '}');
    }

    /// What is wrong with `text` as a pattern; empty when it can be compiled.
    public static Optional<String> flaw(String text) {
        if (!text.startsWith("/")) return Optional.of("expected a path that begins with \"/\", got \"" + text + "\"");
        if (text.equals("/")) return Optional.empty();
        if (text.endsWith("/")) return Optional.of("expected no \"/\" at the end, got \"" + text + "\"");
        String[] segments = text.substring(1).split("/", -1);
        if (segments.length > MOST_SEGMENTS) {
            return Optional.of("expected at most " + MOST_SEGMENTS + " segments, got " + segments.length);
        }
        var names = new HashSet<String>();
        for (String segment : segments) {
            Optional<String> flaw = segmentFlaw(segment);
            if (flaw.isPresent()) return flaw;
            if (isParameter(segment) && !names.add(segment)) return Optional.of(segment + " is bound twice");
        }
        return Optional.empty();
    }

    /// @throws IllegalArgumentException with the [#flaw] of `text`
    public static PathPattern of(String text) {
        flaw(text).ifPresent(flaw -> {
            throw new IllegalArgumentException(flaw);
        });
        return new PathPattern(
                text, text.equals("/") ? new String[0] : text.substring(1).split("/"));
    }

    public List<String> segments() {
        return List.of(segments);
    }

    /// Whether `path`, canonical, lies at or under this pattern.
    public boolean covers(String path) {
        int begin = 0;
        for (String segment : segments) {
            if (begin >= path.length() || path.length() == begin + 1) return false;
            int end = segmentEnd(path, begin);
            if (!isParameter(segment) && !literalAt(path, begin + 1, end, segment)) return false;
            begin = end;
        }
        return true;
    }

    /// Whether `path` has exactly this pattern's segments; a trailing slash makes it another path.
    public boolean equalsPath(String path) {
        if (segments.length == 0) return path.equals("/");
        return covers(path) && matchedLength(path) == path.length();
    }

    /// How many characters of `path`, which this pattern covers, belong to the pattern: `/users/{id}` on
    /// `/users/7/cart` is 8. For `/` it is 0.
    public int matchedLength(String path) {
        int end = 0;
        for (int i = 0; i < segments.length; i++) end = segmentEnd(path, end);
        return end;
    }

    /// What `path`, which this pattern covers, holds below it; begins with `/`.
    public String below(String path) {
        int length = matchedLength(path);
        if (length == 0) return path;
        return length == path.length() ? "/" : path.substring(length);
    }

    /// What `{name}` bound in `path`, which this pattern covers.
    public Optional<String> parameter(String name, String path) {
        int begin = 0;
        for (String segment : segments) {
            int end = segmentEnd(path, begin);
            if (binds(segment, name)) return Optional.of(path.substring(begin + 1, end));
            begin = end;
        }
        return Optional.empty();
    }

    public static boolean isParameter(String segment) {
        return segment.length() > 2 && segment.charAt(0) == '{' && segment.charAt(segment.length() - 1) == '}';
    }

    private static int segmentEnd(String path, int begin) {
        int slash = path.indexOf('/', begin + 1);
        return slash < 0 ? path.length() : slash;
    }

    private static boolean literalAt(String path, int begin, int end, String literal) {
        return end - begin == literal.length() && path.startsWith(literal, begin);
    }

    private static boolean binds(String segment, String name) {
        return isParameter(segment)
                && segment.length() == name.length() + 2
                && segment.regionMatches(1, name, 0, name.length());
    }

    private static Optional<String> segmentFlaw(String segment) {
        if (segment.isEmpty()) return Optional.of("expected no empty segment (\"//\")");
        if (segment.equals(".") || segment.equals("..")) return Optional.of("expected no segment \"" + segment + "\"");
        String inner = isParameter(segment) ? segment.substring(1, segment.length() - 1) : segment;
        boolean sound = isParameter(segment)
                ? inner.matches("[A-Za-z_][A-Za-z0-9_-]*")
                : inner.chars().noneMatch(c -> c < 0x21 || c == 0x7f || "{}?#%\\".indexOf(c) >= 0);
        if (sound) return Optional.empty();
        return Optional.of("expected a literal segment or {name}, got \"" + segment + "\"");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathPattern pattern && text.equals(pattern.text);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(segments);
    }

    @Override
    public String toString() {
        return text;
    }
}
