package gateway.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// What a kind of document looks like, as its reader reads it: [Exploration] says how that is found out.
///
/// @param root of the document
/// @param shapes that have a name, in the order in which they were met
public record Description(Shape root, Map<String, Shape> shapes) {
    public Description {
        shapes = Collections.unmodifiableMap(new LinkedHashMap<>(shapes));
    }

    public static Description of(Consumer<ConfigNode> reader) {
        return ofAll(List.of(reader)).getFirst();
    }

    /// Descriptions of several kinds, in order. Shapes of one name are one shape in all of them.
    public static List<Description> ofAll(List<Consumer<ConfigNode>> readers) {
        var shapes = new NamedShapes();
        var descriptions = new ArrayList<Description>();
        for (Consumer<ConfigNode> reader : readers) {
            var met = new LinkedHashSet<String>();
            Shape root = Exploration.of("", reader, shapes, met);
            descriptions.add(new Description(root, shapes.reached(met)));
        }
        return List.copyOf(descriptions);
    }
}
