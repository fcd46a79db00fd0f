package gateway.json;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private final Map<String, List<Variation>> opening =
            new HashMap<>(); // what the first step below a place was met on
    private final Map<Variation, ReadingPass> passes = new LinkedHashMap<>(); // by the last of their variations
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
        while (!open.isEmpty()) {
            ReadingPass pass = run(open.remove());
            if (!pass.variations.isEmpty()) passes.put(pass.variations.getLast(), pass);
        }
        for (ReadingPass pass : List.copyOf(passes.values())) {
            if (pass.variations.getLast() instanceof Variation.Absent(String pointer) && isRequired(pointer, pass))
                notes(pointer).required = true;
        }
        if (broken) root.closed = false;
        return root.shape();
    }

    /// Whether the place is missed in the pass for which it is absent beside what has the place around it read, and
    /// beside each other variation as well. One that something else opens is not: where that is not so, nobody
    /// misses it.
    private boolean isRequired(String pointer, ReadingPass absent) {
        if (!absent.missing.contains(pointer)) return false;
        List<Variation> base = absent.base();
        if (!base.equals(opening.get(around(pointer)))) return false;
        for (Variation other : absent.met) {
            if (base.contains(other) || isAround(other.pointer(), pointer)) continue;
            if (!isMissedBeside(other, base, pointer)) return false;
        }
        return true;
    }

    /// Mostly the pass of `other` has told. A variation that nothing asks for when the place is absent makes no
    /// difference.
    private boolean isMissedBeside(Variation other, List<Variation> base, String pointer) {
        ReadingPass known = passes.get(other);
        if (known != null && known.base().equals(base) && known.needed.contains(pointer)) return true;
        var all = new ArrayList<>(base);
        all.removeIf(each -> each.pointer().equals(other.pointer()));
        all.add(other);
        all.add(new Variation.Absent(pointer));
        return run(all).missing.contains(pointer);
    }

    private static String around(String pointer) {
        return pointer.substring(0, pointer.lastIndexOf('/'));
    }

    private static boolean isAround(String outer, String inner) {
        return inner.equals(outer) || inner.startsWith(outer + "/");
    }

    private ReadingPass run(List<Variation> variations) {
        var pass = new ReadingPass(variations);
        try {
            reader.accept(RecordedPlace.root(this, pass, root));
        } catch (Exception e) { // it takes what stands in for values for what it has checked
            LOG.debug("a reader cannot be described as a whole", e);
            broken = true;
        }
        return pass;
    }

    /// A reader asks for something that may vary: it will.
    void meets(Variation variation, List<Variation> on) {
        if (!found.add(variation)) return;
        if (variation instanceof Variation.Absent(String pointer)) opening.putIfAbsent(around(pointer), on);
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
