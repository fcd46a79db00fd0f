package gateway.pipeline;

import gateway.http.BodyTooLargeException;
import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import gateway.http.RefusalException;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.pipeline.StepExplanation.Said;
import gateway.policy.PolicyDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The way of a request that nobody has sent through the steps of a pipeline.
final class SupposedWalk {
    private static final Logger LOG = LoggerFactory.getLogger(SupposedWalk.class);

    private SupposedWalk() {}

    static PipelineExplanation explain(Step[] steps, Exchange exchange) {
        exchange.suppose();
        var pipelineRun = new PipelineRun(UpstreamWaiter.NOBODY);
        var told = new ArrayList<StepExplanation>();
        Response answer = null;
        for (Step step : steps) {
            if (answer == null) answer = explained(step, exchange, pipelineRun, told);
            else step.policies().forEach(each -> told.add(StepExplanation.notReached(each)));
        }
        if (answer == null) answer = refusedByLength(exchange);
        end(pipelineRun);
        return new PipelineExplanation(told, Optional.ofNullable(answer));
    }

    /// A policy that breaks ends the request, as it would any other.
    private static @Nullable Response explained(
            Step step, Exchange exchange, PipelineRun pipelineRun, List<StepExplanation> told) {
        int before = told.size();
        long begun = System.nanoTime();
        try {
            return step.explain(exchange, pipelineRun, told);
        } catch (RefusalException e) { // of a condition that reads the body: without a word of its policy
            return FailureAnswers.requestUnseen(e, exchange);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) { // it may be code of users
            List<PolicyDefinition> untold = step.policies()
                    .subList(told.size() - before, step.policies().size());
            LOG.warn("policy {} of API {} breaks", untold.getFirst().step(), exchange.api(), e);
            Response response = FailureAnswers.broken(exchange);
            told.add(StepExplanation.ends(
                    untold.getFirst(), Said.FAIL, e.toString(), response, System.nanoTime() - begun));
            untold.stream().skip(1).map(StepExplanation::notReached).forEach(told::add);
            return response;
        }
    }

    private static void end(PipelineRun pipelineRun) {
        try {
            pipelineRun.end(new Outcome(Ending.CLIENT_GONE.unanswered(), Ending.CLIENT_GONE, 0, 0));
        } catch (Exception | Error e) {
            LOG.warn("a followup breaks at the end of a request", e);
        }
    }

    /// What a policy puts in the place of the client's body may be larger.
    private static @Nullable Response refusedByLength(Exchange exchange) {
        long most = exchange.bodyLimit();
        boolean isClients = exchange.outgoing().body().equals(exchange.body());
        if (!isClients || exchange.body().length().orElse(0) <= most) return null;
        return FailureAnswers.requestUnseen(new BodyTooLargeException(most), exchange);
    }
}
