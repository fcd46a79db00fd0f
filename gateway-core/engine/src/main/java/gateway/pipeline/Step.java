package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Response;
import org.jspecify.annotations.Nullable;

/// One station of a pipeline.
sealed interface Step permits PolicyStep, LimitStep {
    /// Asks the policies of this step about the request; leaves their followups with `pipelineRun`.
    ///
    /// @return the answer that ends the request here; null to go on (no object on the way of every request)
    @Nullable
    Response take(Exchange exchange, PipelineRun pipelineRun);
}
