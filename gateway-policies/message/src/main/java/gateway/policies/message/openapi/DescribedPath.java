package gateway.policies.message.openapi;

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

    /// What the parameters of the path are, percent-encoded.
    ///
    /// @param path canonical, which this one covers
    /// @param rawPath as sent: its last segments are those of `path`
    Map<String, String> values(List<String> path, String rawPath) {
        var values = new HashMap<String, String>();
        String[] raw = rawPath.split("/", -1);
        for (int i = 0; i < segments.size(); i++) {
            TemplateSegment segment = segments.get(i);
            if (segment.isLiteral()) continue;
            if (segment.isWhole()) {
                values.put(segment.names().getFirst(), raw[raw.length - segments.size() + i]);
                continue;
            }
            // where the literals stand is known of the decoded text alone
            List<String> found = segment.values(path.get(i));
            for (int j = 0; j < found.size(); j++) {
                values.put(segment.names().get(j), found.get(j).replace("%", "%25"));
            }
        }
        return values;
    }
}
