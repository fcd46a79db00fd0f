package gateway.policies.message.openapi;

import java.util.List;

/// An answer as a document has it.
///
/// @param examples none unless they are asked for when the document is compiled
record DescribedAnswer(List<DescribedParameter> headers, DescribedContent content, DescribedExamples examples) {
    DescribedAnswer {
        headers = List.copyOf(headers);
    }
}
