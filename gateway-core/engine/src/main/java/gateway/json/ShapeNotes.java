package gateway.json;

import gateway.json.Shape.Extent;
import gateway.json.Shape.Kind;
import gateway.json.Shape.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What readers were seen to ask of one place, over all passes of an [Exploration].
final class ShapeNotes {
    final Map<String, ShapeNotes> fields = new LinkedHashMap<>();
    final Map<String, Shape> alternatives = new LinkedHashMap<>();

    @Nullable
    ShapeNotes element;

    @Nullable
    ShapeNotes value;

    @Nullable
    String named;

    final Set<Rule> rules = new LinkedHashSet<>();
    boolean isObject;
    boolean closed;
    boolean required;
    String meaning = "";
    String form = "";
    String pattern = "";
    String names = "";

    @Nullable
    Extent extent;

    String unlessGiven = "";
    private final Map<Class<?>, Kind> kinds = new LinkedHashMap<>();
    private List<String> only = List.of();
    private @Nullable JsonNode fallback;
    private boolean fallbackHolds;
    private boolean fallbackVaries;

    /// Bounds that depend on other fields come out as wide as they were seen.
    void expects(Kind kind) {
        kinds.merge(kind.getClass(), kind, ShapeNotes::widened);
    }

    private static Kind widened(Kind before, Kind now) {
        return switch (now) {
            case Kind.Text(boolean some) -> new Kind.Text(some && before.equals(now));
            case Kind.Whole(long min, long max) ->
                before instanceof Kind.Whole(long low, long high)
                        ? new Kind.Whole(Math.min(min, low), Math.max(max, high))
                        : now;
            case Kind.Size(long min, long max) ->
                before instanceof Kind.Size(long low, long high)
                        ? new Kind.Size(Math.min(min, low), Math.max(max, high))
                        : now;
            case Kind.Length(Duration min, Duration max) ->
                before instanceof Kind.Length(Duration low, Duration high)
                        ? new Kind.Length(min.compareTo(low) < 0 ? min : low, max.compareTo(high) > 0 ? max : high)
                        : now;
            case Kind.Scalar _,
                    Kind.Flag _,
                    Kind.Share _,
                    Kind.Time _,
                    Kind.Choice _,
                    Kind.Items _,
                    Kind.Members _,
                    Kind.Fields _,
                    Kind.Named _,
                    Kind.OneOf _ -> now;
        };
    }

    void only(List<String> words) {
        only = words;
    }

    /// One that depends on other fields is none.
    ///
    /// @param absent whether nothing stands there: else it is not needed
    void fallsBackTo(JsonNode to, boolean absent) {
        fallbackHolds |= absent;
        if (fallback == null) fallback = to;
        else if (!fallback.equals(to)) fallbackVaries = true;
    }

    Shape shape() {
        var all = new ArrayList<Kind>();
        if (named != null) all.add(new Kind.Named(named));
        if (!alternatives.isEmpty()) all.add(new Kind.OneOf(alternatives));
        else if (!only.isEmpty()) all.add(new Kind.Choice(only));
        else {
            all.addAll(kinds.values());
            if (element != null) all.add(new Kind.Items(element.shape()));
            if (value != null) all.add(new Kind.Members(value.shape()));
            else if (isObject || !fields.isEmpty()) all.add(new Kind.Fields(shapes(fields), closed));
        }
        boolean known = fallbackHolds && !fallbackVaries && !required;
        Optional<JsonNode> always = known ? Optional.ofNullable(fallback) : Optional.empty();
        return new Shape(
                all,
                required,
                always,
                meaning,
                form,
                pattern,
                names,
                Optional.ofNullable(extent),
                unlessGiven,
                List.copyOf(rules));
    }

    private static Map<String, Shape> shapes(Map<String, ShapeNotes> notes) {
        var shapes = new LinkedHashMap<String, Shape>();
        notes.forEach((name, each) -> shapes.put(name, each.shape()));
        return shapes;
    }
}
