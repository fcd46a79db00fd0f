package gateway.json;

import java.util.Collections;
import java.util.LinkedHashMap;
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
        var shapes = new LinkedHashMap<String, Shape>();
        Shape root = Exploration.of("", reader, shapes);
        return new Description(root, shapes);
    }
}
