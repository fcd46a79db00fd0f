package gateway.json;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Shapes that have a name, each explored once, however many kinds of documents hold it.
final class NamedShapes {
    private final Map<String, Explored> explored = new HashMap<>();

    /// @param met names of the shapes that it was seen to hold, in order
    private record Explored(Shape shape, List<String> met) {}

    void explore(String name, Consumer<ConfigNode> reader) {
        if (explored.containsKey(name)) return;
        explored.put(name, new Explored(new ShapeNotes().shape(), List.of())); // until it is known: it may hold itself
        Set<String> met = new LinkedHashSet<>();
        Shape shape = Exploration.of(name, reader, this, met);
        explored.put(name, new Explored(shape, List.copyOf(met)));
    }

    /// Those of `names` and all that they hold, each behind the first one that holds it.
    Map<String, Shape> reached(Set<String> names) {
        var reached = new LinkedHashMap<String, Shape>();
        for (String name : names) add(name, reached);
        return reached;
    }

    private void add(String name, Map<String, Shape> reached) {
        Explored found = explored.get(name);
        if (found == null || reached.putIfAbsent(name, found.shape()) != null) return;
        for (String held : found.met()) add(held, reached);
    }
}
