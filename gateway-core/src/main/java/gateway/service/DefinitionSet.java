package gateway.service;

import java.util.Map;

/// All API definitions at one revision, as JSON text by id.
///
/// @param revision 0 while nothing was ever stored
public record DefinitionSet(long revision, Map<String, String> documents) {
    public static final DefinitionSet EMPTY = new DefinitionSet(0, Map.of());

    public DefinitionSet {
        documents = Map.copyOf(documents);
    }
}
