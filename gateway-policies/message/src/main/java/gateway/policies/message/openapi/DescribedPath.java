package gateway.policies.message.openapi;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// A path of a document, and what may be done there.
///
/// @param operations by method
record DescribedPath(List<TemplateSegment> segments, Map<String, DescribedOperation> operations) {
    DescribedPath {
        segments = List.copyOf(segments);
        operations = Map.copyOf(operations);
    }

    /// `HEAD` is `GET` without content, unless the document has it by itself.
    Optional<DescribedOperation> operation(String method) {
        DescribedOperation own = operations.get(method);
        return Optional.ofNullable(own == null && method.equals("HEAD") ? operations.get("GET") : own);
    }

    /// The methods, as `Allow` has them.
    String methods() {
        var all = new TreeSet<>(operations.keySet());
        if (all.contains("GET")) all.add("HEAD");
        return String.join(", ", all);
    }

    /// This one with what may be done by another that matches the same; empty when both have a method.
    Optional<DescribedPath> with(DescribedPath other) {
        if (!Collections.disjoint(operations.keySet(), other.operations.keySet())) return Optional.empty();
        var all = new HashMap<>(operations);
        all.putAll(other.operations);
        return Optional.of(new DescribedPath(segments, all));
    }
}
