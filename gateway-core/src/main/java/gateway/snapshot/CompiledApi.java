package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.route.Route;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// One API as compiled from its stored text; taken over by the next snapshot when the text is the same.
///
/// @param route empty when the API is disabled
public record CompiledApi(String source, ApiDefinition definition, Optional<Route> route) {
    /// A route to each of its upstreams, by the upstream's name: several versions may share one.
    public Map<String, Route> byUpstream() {
        var found = new LinkedHashMap<String, Route>();
        route.ifPresent(all -> all.leading()
                .forEach(each ->
                        found.putIfAbsent(each.api().upstream().steering().name(), each)));
        return found;
    }
}
