package gateway.service;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/// All documents at one revision, as JSON text.
///
/// @param revision 0 while nothing was ever stored
public record DefinitionSet(long revision, Map<DocumentId, String> documents) {
    public static final DefinitionSet EMPTY = new DefinitionSet(0, Map.of());

    public DefinitionSet {
        documents = Map.copyOf(documents);
    }

    /// APIs alone, by their ids.
    public static DefinitionSet ofApis(long revision, Map<String, String> apis) {
        var documents = HashMap.<DocumentId, String>newHashMap(apis.size());
        apis.forEach((id, text) -> documents.put(DocumentId.api(id), text));
        return new DefinitionSet(revision, documents);
    }

    /// The text of a document, if there is one.
    public Optional<String> text(DocumentId id) {
        return Optional.ofNullable(documents.get(id));
    }

    /// The ids of all documents of one kind, in order.
    public List<String> ids(DocumentKind kind) {
        return documents.keySet().stream()
                .filter(document -> document.kind() == kind)
                .map(DocumentId::id)
                .sorted()
                .toList();
    }

    /// What makes `other` of this, in order of their ids.
    public List<DefinitionChange> changesTo(DefinitionSet other) {
        var ids = new TreeSet<>(documents.keySet());
        ids.addAll(other.documents.keySet());
        var changes = new ArrayList<DefinitionChange>();
        for (DocumentId id : ids) {
            Optional<String> before = text(id);
            Optional<String> after = other.text(id);
            if (!Objects.equals(before, after)) changes.add(new DefinitionChange(id, before, after));
        }
        return changes;
    }
}
