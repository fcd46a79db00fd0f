package gateway.policies.message.openapi;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One method of one path as a document has it.
///
/// @param segments of its path
/// @param usesQuery whether one of its parameters stands in the query, and likewise
/// @param usesCookies whether one is a cookie
/// @param answers by status, by `2XX` and the like, and by `default`
record DescribedOperation(
        List<TemplateSegment> segments,
        List<DescribedParameter> parameters,
        boolean usesQuery,
        boolean usesCookies,
        DescribedContent content,
        Map<String, DescribedAnswer> answers) {
    DescribedOperation {
        segments = List.copyOf(segments);
        parameters = List.copyOf(parameters);
        answers = Map.copyOf(answers);
    }

    /// Whether it has this very status, rather than one of its kind.
    boolean names(int status) {
        return answers.containsKey(Integer.toString(status));
    }

    Optional<DescribedAnswer> answer(int status) {
        DescribedAnswer exact = answers.get(Integer.toString(status));
        if (exact != null) return Optional.of(exact);
        DescribedAnswer range = answers.get(status / 100 + "XX");
        return Optional.ofNullable(range == null ? answers.get("default") : range);
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
