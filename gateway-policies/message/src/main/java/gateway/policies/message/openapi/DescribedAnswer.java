package gateway.policies.message.openapi;

import java.util.List;

/// An answer as a document has it.
record DescribedAnswer(List<DescribedParameter> headers, DescribedContent content) {
    DescribedAnswer {
        headers = List.copyOf(headers);
    }
}
