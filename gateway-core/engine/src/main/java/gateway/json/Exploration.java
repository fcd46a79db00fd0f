package gateway.json;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Runs one reader against places of no document, again and again: once with everything there, then with each place
/// absent by itself, with each choice, with the largest of each number, so that it goes every way that one field
/// opens. What it asks for is noted.
///
/// A reader that breaks is described as far as it goes, and what else it may take is left open.
///
/// A place is required when its absence is a problem whatever else varies.
///
/// All passes together grow with what was found, not with its square: readers are run for each field of each policy.
final class Exploration {
    /// What stands where a reader looks at the JSON itself.
    static final List<JsonNode> STAND_INS =
            List.of(Json.parse("{}"), Json.parse("\"\""), Json.parse("[]"), Json.parse("0"), Json.parse("true"));

    private static final Logger LOG = LoggerFactory.getLogger(Exploration.class);

    private final String name;
    private final Consumer<ConfigNode> reader;
    private final NamedShapes shapes;
    private final Set<String> met;
    private final ShapeNotes root = new ShapeNotes();
    private final Set<Variation> found = new LinkedHashSet<>();
    private final ArrayDeque<List<Variation>> open = new ArrayDeque<>();
    private boolean broken;

    /// @param name of the shape that is explored; empty when it has none
    /// @param shapes that have a name
    /// @param met takes the names of those that are met
    private Exploration(String name, Consumer<ConfigNode> reader, NamedShapes shapes, Set<String> met) {
        this.name = name;
        this.reader = reader;
        this.shapes = shapes;
        this.met = met;
    }

    static Shape of(String name, Consumer<ConfigNode> reader, NamedShapes shapes, Set<String> met) {
        return new Exploration(name, reader, shapes, met).explore();
    }

    private Shape explore() {
        open.add(List.of());
        while (!open.isEmpty()) run(open.remove());
        for (Set<String> places : missedByDepth().values()) {
            for (Variation other : List.copyOf(found)) keepMissed(places, other);
            for (String pointer : places) notes(pointer).required = true;
        }
        if (broken) root.closed = false;
        return root.shape();
    }

    /// What is missed when all else is as usual. No place of one depth lies within another.
    private TreeMap<Integer, Set<String>> missedByDepth() {
        var missed = new TreeMap<Integer, Set<String>>();
        for (Variation each : List.copyOf(found)) {
            if (!(each instanceof Variation.Absent(String pointer))) continue;
            if (!run(List.of(each)).contains(pointer)) continue;
            int depth = pointer.split("/", -1).length;
            missed.computeIfAbsent(depth, _ -> new LinkedHashSet<>()).add(pointer);
        }
        return missed;
    }

    /// Keeps those of `places` that are missed beside `other` too: one pass for all, for which they are absent together,
    /// and one more for each that was not missed in it.
    private void keepMissed(Set<String> places, Variation other) {
        var variations = new ArrayList<Variation>();
        variations.add(other);
        for (String place : places) if (!isAround(other.pointer(), place)) variations.add(new Variation.Absent(place));
        if (variations.size() == 1) return;
        Set<String> missing = run(variations);
        for (Variation absent : variations.subList(1, variations.size())) {
            String place = absent.pointer();
            if (!missing.contains(place) && !run(List.of(other, absent)).contains(place)) places.remove(place);
        }
    }

    private static boolean isAround(String outer, String inner) {
        return inner.equals(outer) || inner.startsWith(outer + "/");
    }

    /// One pass.
    ///
    /// @return where something absent was a problem
    private Set<String> run(List<Variation> variations) {
        var pass = new ReadingPass(variations);
        try {
            reader.accept(RecordedPlace.root(this, pass, root));
        } catch (RuntimeException e) { // it takes what stands in for values for what it has checked
            LOG.debug("a reader cannot be described as a whole", e);
            broken = true;
        }
        return pass.missing;
    }

    /// A reader asks for something that may vary: it will.
    void meets(Variation variation, List<Variation> on) {
        if (!found.add(variation)) return;
        var more = new ArrayList<>(on);
        more.add(variation);
        open.add(List.copyOf(more));
    }

    boolean explores(String shape) {
        return name.equals(shape);
    }

    /// Describes what has a name.
    void describe(String shape, Consumer<ConfigNode> by) {
        met.add(shape);
        shapes.explore(shape, by);
    }

    Shape alternative(Consumer<ConfigNode> by) {
        return of("", by, shapes, met);
    }

    private ShapeNotes notes(String pointer) {
        ShapeNotes notes = root;
        if (pointer.isEmpty()) return notes;
        for (String step : pointer.substring(1).split("/", -1)) notes = RecordedPlace.below(notes, step);
        return notes;
    }
}
