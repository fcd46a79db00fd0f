package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.route.Route;
import java.util.Optional;

/// One API as compiled from its stored text; taken over by the next snapshot when the text is the same.
///
/// @param route empty when the API is disabled
public record CompiledApi(String source, ApiDefinition definition, Optional<Route> route) {}
