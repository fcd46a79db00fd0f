package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.policy.PolicyDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One station of a pipeline.
sealed interface Step permits PolicyStep, LimitStep {
    /// Asks the policies of this step about the request; leaves their followups with `pipelineRun`.
    ///
    /// @return the answer that ends the request here; null to go on (no object on the way of every request)
    @Nullable
    Response take(Exchange exchange, PipelineRun pipelineRun);

    /// Asks the same policies about a request that nobody has sent, so that nothing is spent, counted or called, and
    /// adds to `told` what each says.
    ///
    /// @return the answer that would end the request here; null when it would go on
    @Nullable
    Response explain(Exchange exchange, PipelineRun pipelineRun, List<StepExplanation> told);

    /// Those that it asks.
    List<PolicyDefinition> policies();
}
