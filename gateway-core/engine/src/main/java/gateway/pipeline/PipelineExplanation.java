package gateway.pipeline;

import gateway.http.Response;
import java.util.List;
import java.util.Optional;

/// How a request that nobody has sent would fare in a pipeline.
///
/// @param steps every policy in the order in which they are asked
/// @param answer what ends the request, as the policy that ends it gives it; empty when the upstream would be asked
public record PipelineExplanation(List<StepExplanation> steps, Optional<Response> answer) {
    public PipelineExplanation {
        steps = List.copyOf(steps);
    }
}
