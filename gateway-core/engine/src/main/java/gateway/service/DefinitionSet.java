package gateway.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/// All API definitions at one revision, as JSON text by id.
///
/// @param revision 0 while nothing was ever stored
public record DefinitionSet(long revision, Map<String, String> documents) {
    public static final DefinitionSet EMPTY = new DefinitionSet(0, Map.of());

    public DefinitionSet {
        documents = Map.copyOf(documents);
    }

    /// What makes `other` of this, in order of id.
    public List<DefinitionChange> changesTo(DefinitionSet other) {
        var ids = new TreeSet<>(documents.keySet());
        ids.addAll(other.documents.keySet());
        var changes = new ArrayList<DefinitionChange>();
        for (String id : ids) {
            Optional<String> before = Optional.ofNullable(documents.get(id));
            Optional<String> after = Optional.ofNullable(other.documents.get(id));
            if (!Objects.equals(before, after)) changes.add(new DefinitionChange(id, before, after));
        }
        return changes;
    }
}
