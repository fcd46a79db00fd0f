package gateway.http;

import java.util.List;
import java.util.Map;

/// A caller whose name is its id.
public record NamedCaller(String id, List<String> tags, Map<String, String> metadata) implements Consumer {
    /// One of whom nothing else is known.
    public NamedCaller(String id) {
        this(id, List.of(), Map.of());
    }

    @Override
    public String name() {
        return id;
    }
}
