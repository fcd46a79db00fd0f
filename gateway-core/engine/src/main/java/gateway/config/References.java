package gateway.config;

import gateway.json.ConfigNode;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// The secrets and resources that one document names, each by the pointer of the place that names it: what its readers
/// took for a reference, and nothing that only looks like one.
public record References(Map<String, SecretReference> secrets, Map<String, ResourceReference> resources) {
    /// There are none.
    public static final References NONE = new References(Map.of(), Map.of());

    private static final Map<String, DocumentKind> MEMBERS =
            Map.of("use", DocumentKind.POLICY_SETS, "secret", DocumentKind.SECRETS, "resource", DocumentKind.RESOURCES);

    public References {
        secrets = Map.copyOf(secrets);
        resources = Map.copyOf(resources);
    }

    /// Those of `document`, which was read. What is wrong in itself refers to nothing.
    public static References of(ConfigNode document) {
        if (document.secrets().isEmpty() && document.resources().isEmpty()) return NONE;
        return new References(
                sound(document, document.secrets(), SecretReader::read),
                sound(document, document.resources(), ResourceReader::read));
    }

    private static <T> Map<String, T> sound(
            ConfigNode document, Collection<String> pointers, Function<ConfigNode, T> reader) {
        var found = new HashMap<String, T>();
        for (String pointer : pointers) {
            JsonNode json = document.json().orElseThrow().at(pointer);
            ConfigNode place = ConfigNode.of(json, document.document());
            T reference = reader.apply(place);
            if (!place.hasProblems()) found.put(pointer, reference);
        }
        return found;
    }

    /// The documents that something in `json` looks to name, for what no reader could be asked about.
    static Set<DocumentId> likely(JsonNode json) {
        var likely = new HashSet<DocumentId>();
        addLikely(json, likely);
        return likely;
    }

    private static void addLikely(JsonNode json, Set<DocumentId> likely) {
        if (json.isObject() && json.size() == 1) {
            MEMBERS.forEach((member, kind) ->
                    json.path(member).stringValueOpt().ifPresent(id -> likely.add(new DocumentId(kind, id))));
        }
        for (JsonNode each : json) addLikely(each, likely);
    }

    /// The documents among what is named: variables, files and secrets that are written in place are none.
    Set<DocumentId> documents() {
        var documents = new HashSet<DocumentId>();
        for (SecretReference each : secrets.values()) {
            if (each.origin() != SecretReference.Origin.SECRET) continue;
            documents.add(new DocumentId(DocumentKind.SECRETS, each.name()));
        }
        for (ResourceReference each : resources.values()) {
            documents.add(new DocumentId(DocumentKind.RESOURCES, each.id()));
        }
        return documents;
    }
}
