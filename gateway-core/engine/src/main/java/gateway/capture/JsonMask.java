package gateway.capture;

import java.util.List;
import java.util.Optional;

/// Paths whose values are hidden in JSON.
///
/// @param paths as definitions write them, each with its steps
public record JsonMask(List<JsonPath> paths) {
    public static final JsonMask NOTHING = new JsonMask(List.of());

    public JsonMask {
        paths = List.copyOf(paths);
    }

    /// @throws IllegalArgumentException with what is wrong where in `paths`
    public static JsonMask of(List<String> paths) {
        return new JsonMask(paths.stream().map(JsonPath::parse).toList());
    }

    /// What is wrong with `path`; empty when nothing is.
    public static Optional<String> problem(String path) {
        try {
            JsonPath.parse(path);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    public boolean hidesNothing() {
        return paths.isEmpty();
    }

    /// `text` with the values at these paths hidden and without blanks; empty when it is no JSON, or hostile.
    ///
    /// @param cut whether `text` is only the beginning: then the answer ends with its last whole value
    Optional<String> mask(String text, boolean cut) {
        return new JsonMasker(paths).mask(text, cut);
    }
}
