package gateway.policies.message.openapi;

import gateway.http.HeldBody;
import gateway.policy.AcceptedTypes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What an answer may look like, as a document has it.
///
/// @param headers those that have an example
/// @param contents in the order of the document
record DescribedExamples(Map<String, String> headers, List<Content> contents) {
    static final DescribedExamples NONE = new DescribedExamples(Map.of(), List.of());

    DescribedExamples {
        headers = Map.copyOf(headers);
        contents = List.copyOf(contents);
    }

    /// @param name empty where the document has none
    /// @param type as the document writes it, with its parameters
    /// @param media the same in lower case without them
    record Content(String name, String type, String media, HeldBody body) {}

    /// The one that the client likes best, the first among equals; where it takes none, the first (RFC 9110 §12.4.1).
    ///
    /// @param accept values of `Accept`
    /// @param name that it has to have; empty: any will do
    Optional<Content> best(List<String> accept, Optional<String> name) {
        Optional<Content> best = Optional.empty();
        int most = -1;
        for (Content each : contents) {
            if (name.isPresent() && !name.get().equals(each.name())) continue;
            int weight = accept.isEmpty() ? 1 : AcceptedTypes.weight(accept, each.media());
            if (weight > most) {
                best = Optional.of(each);
                most = weight;
            }
        }
        return best;
    }
}
