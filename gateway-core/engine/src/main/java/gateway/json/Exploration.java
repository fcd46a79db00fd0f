package gateway.json;

import java.util.ArrayDeque;
import java.util.ArrayList;
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
final class Exploration {
    /// What stands where a reader looks at the JSON itself.
    static final List<JsonNode> STAND_INS =
            List.of(Json.parse("{}"), Json.parse("\"\""), Json.parse("[]"), Json.parse("0"), Json.parse("true"));

    private static final Logger LOG = LoggerFactory.getLogger(Exploration.class);

    private final String name;
    private final Consumer<ConfigNode> reader;
    private final Map<String, Shape> shapes;
    private final ShapeNotes root = new ShapeNotes();
    private final Set<Variation> found = new LinkedHashSet<>();
    private final ArrayDeque<List<Variation>> open = new ArrayDeque<>();
    private boolean broken;

    /// @param name of the shape that is explored; empty when it has none
    /// @param shapes that have a name; those that are met are added
    private Exploration(String name, Consumer<ConfigNode> reader, Map<String, Shape> shapes) {
        this.name = name;
        this.reader = reader;
        this.shapes = shapes;
    }

    static Shape of(String name, Consumer<ConfigNode> reader, Map<String, Shape> shapes) {
        return new Exploration(name, reader, shapes).explore();
    }

    private Shape explore() {
        open.add(List.of());
        while (!open.isEmpty()) run(open.remove());
        for (Variation each : List.copyOf(found)) {
            if (each instanceof Variation.Absent(String pointer) && isRequired(pointer)) notes(pointer).required = true;
        }
        if (broken) root.closed = false;
        return root.shape();
    }

    private boolean isRequired(String pointer) {
        var absent = new Variation.Absent(pointer);
        if (!run(List.of(absent)).contains(pointer)) return false;
        for (Variation other : List.copyOf(found)) {
            boolean apart = !other.equals(absent) && !isAround(other.pointer(), pointer);
            if (apart && !run(List.of(other, absent)).contains(pointer)) return false;
        }
        return true;
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

    /// Describes what has a name, once.
    void describe(String shape, Consumer<ConfigNode> by) {
        if (shapes.containsKey(shape)) return;
        shapes.put(shape, new ShapeNotes().shape()); // while it is explored: it may hold itself
        shapes.put(shape, of(shape, by, shapes));
    }

    Shape alternative(Consumer<ConfigNode> by) {
        return of("", by, shapes);
    }

    private ShapeNotes notes(String pointer) {
        ShapeNotes notes = root;
        if (pointer.isEmpty()) return notes;
        for (String step : pointer.substring(1).split("/", -1)) notes = RecordedPlace.below(notes, step);
        return notes;
    }
}
