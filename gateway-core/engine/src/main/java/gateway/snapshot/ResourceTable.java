package gateway.snapshot;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Suggestion;
import gateway.service.Contents;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.Resource;
import gateway.service.ResourceDocument;
import gateway.service.ResourceReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The resources of one snapshot while it is made: what is told of all, and the contents of those that are
/// asked for. For one thread.
final class ResourceTable {
    private static final long MOST_BYTES = 64L << 20; // of all together

    private final Contents contents;
    private final TreeMap<String, ResourceDocument> documents = new TreeMap<>();
    private final Map<String, Resource> opened = new HashMap<>();
    private final List<ConfigProblem> problems = new ArrayList<>();

    ResourceTable(DefinitionSet definitions, Contents contents) {
        this.contents = contents;
        long bytes = 0;
        for (String id : definitions.ids(DocumentKind.RESOURCES)) {
            var document = new DocumentId(DocumentKind.RESOURCES, id);
            try {
                ResourceDocument read =
                        ResourceDocument.read(definitions.text(document).orElseThrow());
                if (!read.id().equals(id)) {
                    throw new InvalidConfigException("/id", "expected \"" + id + "\", got \"" + read.id() + "\"");
                }
                bytes += read.bytes();
                if (bytes > MOST_BYTES) {
                    throw new InvalidConfigException("", "expected at most 64 MiB in all resources, got " + bytes);
                }
                documents.put(id, read);
            } catch (InvalidConfigException e) {
                for (ConfigProblem each : e.problems()) {
                    problems.add(new ConfigProblem(document.pointer() + each.pointer(), each.message()));
                }
            }
        }
    }

    /// What is wrong with resources, used or not, under `/resources/<id>`.
    List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    /// @throws InvalidConfigException when it cannot be had
    Resource find(ResourceReference reference) {
        String id = reference.id();
        ResourceDocument document = documents.get(id);
        if (document == null) {
            String near = Suggestion.nearest(id, documents.keySet())
                    .map(found -> "; did you mean \"" + found + "\"?")
                    .orElse("");
            throw new InvalidConfigException("", "unknown resource \"" + id + "\"" + near);
        }
        return opened.computeIfAbsent(id, _ -> open(document));
    }

    /// Why it cannot be had, as [#find] says it; empty when it can.
    Optional<String> flaw(ResourceReference reference) {
        try {
            find(reference);
            return Optional.empty();
        } catch (InvalidConfigException e) {
            return Optional.of(e.problems().getFirst().message());
        }
    }

    private Resource open(ResourceDocument document) {
        return contents.find(document.sha256())
                .map(content -> new Resource(document, content))
                .orElseThrow(() -> new InvalidConfigException(
                        "", "the content of the resource \"" + document.id() + "\" is lost; store it again"));
    }

    /// Whether all of `used` still are what they were.
    boolean have(Map<ResourceReference, String> used) {
        for (Map.Entry<ResourceReference, String> each : used.entrySet()) {
            ResourceDocument now = documents.get(each.getKey().id());
            if (now == null || !now.sha256().equals(each.getValue())) return false;
        }
        return true;
    }
}
