package gateway.policies.message;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.PartialAnswers;
import gateway.http.Response;
import gateway.http.SaidTypes;
import gateway.json.ConfigNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Media types by name, by kind (`text/*`) or by suffix (`*/*+xml`).
///
/// @param ranges lower case, without parameters
public record MediaRanges(List<String> ranges) {
    public static final MediaRanges NONE = new MediaRanges(List.of());

    /// The second is of the days of `Request-Range`; Apache httpd answers that with it.
    private static final MediaRanges SEVERAL_PARTS =
            new MediaRanges(List.of("multipart/byteranges", "multipart/x-byteranges"));

    private static final Pattern RANGE = Pattern.compile(
            "[A-Za-z0-9!#$&^_.+-]{1,60}/(\\*|[A-Za-z0-9!#$&^_.+-]{1,60})|\\*/\\*\\+[A-Za-z0-9.-]{1,60}");
    private static final int MOST = 100;
    private static final String ANY_WITH = "*/*";

    public MediaRanges {
        ranges = List.copyOf(ranges);
    }

    /// @param usual where the definition says none
    public static MediaRanges read(ConfigNode node, List<String> usual) {
        if (!node.unlessGiven("`" + String.join("`, `", usual) + "`").isPresent()) {
            node.list(MediaRanges::range);
            return new MediaRanges(usual);
        }
        List<String> ranges = node.list(MediaRanges::range);
        node.extent(1, MOST);
        if (ranges.isEmpty() || ranges.size() > MOST)
            node.problem("expected 1 to " + MOST + " media types, got " + ranges.size());
        return new MediaRanges(ranges);
    }

    private static String range(ConfigNode node) {
        String range = node.form("media type").like(RANGE).requiredText();
        if (!range.isEmpty() && !RANGE.matcher(range).matches()) {
            node.expected("a media type such as application/xml, text/* or */*+xml");
        }
        return range;
    }

    /// The content of a message of one of them, held plain; empty when it is of another type, has none, or streams
    /// without an end.
    public Optional<HeldBody> content(Headers fields, Body body) {
        boolean whole = body instanceof HeldBody held && held.isPlain() && held.content().length > 0;
        return whole && include(fields) ? Optional.of((HeldBody) body) : Optional.empty();
    }

    /// Whether a message with these fields is of one of them. One that says its type twice is of none: each reader
    /// would take another one.
    public boolean include(Headers fields) {
        if (SaidTypes.areSeveral(fields)) return false;
        List<String> types = SaidTypes.of(fields);
        return !types.isEmpty() && includes(types.getFirst());
    }

    /// Whether an answer is a part of content of one of them, or several parts of who knows what.
    public boolean includePart(Response answer) {
        return PartialAnswers.include(answer) && (include(answer.headers()) || SEVERAL_PARTS.include(answer.headers()));
    }

    /// Whether a message may be of one of them for some of its readers, though [#include] says that it is of none: its
    /// type is said twice, in two lines or in one.
    boolean mayInclude(Headers fields) {
        List<String> types = SaidTypes.of(fields);
        for (int i = 0; types.size() > 1 && i < types.size(); i++) if (includes(types.get(i))) return true;
        return false;
    }

    private boolean includes(String type) {
        for (int i = 0; i < ranges.size(); i++) if (includes(ranges.get(i), type)) return true;
        return false;
    }

    private static boolean includes(String range, String type) {
        if (range.startsWith(ANY_WITH)) return type.endsWith(range.substring(ANY_WITH.length()));
        if (range.endsWith("/*")) return type.startsWith(range.substring(0, range.length() - 1));
        return type.equals(range);
    }
}
