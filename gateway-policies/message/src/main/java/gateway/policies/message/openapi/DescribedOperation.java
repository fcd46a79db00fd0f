package gateway.policies.message.openapi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One method of one path as a document has it.
///
/// @param usesQuery whether one of its parameters stands in the query, and likewise
/// @param usesCookies whether one is a cookie
/// @param answers by status, by `2XX` and the like, and by `default`
record DescribedOperation(
        List<DescribedParameter> parameters,
        boolean usesQuery,
        boolean usesCookies,
        DescribedContent content,
        Map<String, DescribedAnswer> answers) {
    DescribedOperation {
        parameters = List.copyOf(parameters);
        answers = Map.copyOf(answers);
    }

    Optional<DescribedAnswer> answer(int status) {
        DescribedAnswer exact = answers.get(Integer.toString(status));
        if (exact != null) return Optional.of(exact);
        DescribedAnswer range = answers.get(status / 100 + "XX");
        return Optional.ofNullable(range == null ? answers.get("default") : range);
    }
}
