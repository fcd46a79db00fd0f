package gateway.route;

import java.util.List;
import java.util.Optional;

/// A match path compiled: literal and `{name}` segments.
public final class PathPattern {
    private final String text;
    private final List<String> segments; // "{name}" binds

    private PathPattern(String text, List<String> segments) {
        this.text = text;
        this.segments = segments;
    }

    /// @param text begins with `/`; checked by the definition reader
    public static PathPattern of(String text) {
        return new PathPattern(
                text, List.of(text.substring(1).split("/")).stream().filter(s -> !s.isEmpty()).toList());
    }

    public List<String> segments() {
        return segments;
    }

    /// How many characters of `path`, which this pattern matches, belong to the pattern: `/users/{id}` on `/users/7/cart`
    /// is 8. For `/` it is 0.
    public int matchedLength(String path) {
        int end = 0;
        for (int i = 0; i < segments.size(); i++) {
            int slash = path.indexOf('/', end + 1);
            end = slash < 0 ? path.length() : slash;
        }
        return end;
    }

    /// What `{name}` bound in `path`, which this pattern matches.
    public Optional<String> parameter(String name, String path) {
        int begin = 0;
        for (String segment : segments) {
            int slash = path.indexOf('/', begin + 1);
            int end = slash < 0 ? path.length() : slash;
            if (binds(segment, name)) return Optional.of(path.substring(begin + 1, end));
            begin = end;
        }
        return Optional.empty();
    }

    static boolean isParameter(String segment) {
        return segment.length() > 2 && segment.charAt(0) == '{' && segment.charAt(segment.length() - 1) == '}';
    }

    private static boolean binds(String segment, String name) {
        return isParameter(segment)
                && segment.length() == name.length() + 2
                && segment.regionMatches(1, name, 0, name.length());
    }

    @Override
    public String toString() {
        return text;
    }
}
