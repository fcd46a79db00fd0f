package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.Span;
import gateway.policy.AnswerCondition;
import gateway.policy.Condition;
import gateway.policy.Followup;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyMode;
import gateway.policy.Verdict;
import gateway.service.DependencyException;
import gateway.service.StepMeter;
import gateway.service.Workers;
import gateway.service.WorkersBusyException;
import org.jspecify.annotations.Nullable;

/// A step of one policy.
final class PolicyStep implements Step {
    private final String name;
    private final Policy policy;
    private final Condition when;
    private final AnswerCondition answers;
    private final OnOutage onOutage;
    private final boolean reports;
    private final @Nullable Workers workers; // null: the request's own thread
    private final String api;
    private final @Nullable HeldBodies bodies; // null: they stream past
    private final StepMeter meter;
    private final boolean timed;
    private final boolean plain; // nothing but the policy itself is to be called

    /// @param workers what the policy runs on; null for the request's own thread
    /// @param api whose share of the workers it takes
    /// @param bodies what it wants whole; null when that is nothing
    PolicyStep(
            String name,
            Policy policy,
            Condition when,
            AnswerCondition answers,
            OnOutage onOutage,
            PolicyMode mode,
            @Nullable Workers workers,
            String api,
            @Nullable HeldBodies bodies,
            StepMeter meter,
            boolean timed) {
        this.name = name;
        this.policy = policy;
        this.when = when;
        this.answers = answers;
        this.onOutage = onOutage;
        this.reports = mode == PolicyMode.REPORT;
        this.workers = workers;
        this.api = api;
        this.bodies = bodies;
        this.meter = meter;
        this.timed = timed;
        this.plain = !timed
                && !reports
                && workers == null
                && onOutage == OnOutage.DENY
                && answers.equals(AnswerCondition.ALWAYS)
                && (bodies == null || !bodies.ofResponses());
    }

    @Override
    public @Nullable Response take(Exchange exchange, PipelineRun pipelineRun) {
        if (!when.holds(exchange)) return null;
        if (bodies != null) bodies.gather(exchange, pipelineRun.waiter());
        return switch (timed ? timedVerdict(exchange, pipelineRun) : verdict(exchange, pipelineRun, null)) {
            case Verdict.Proceed(var followup) -> {
                meter.proceeded();
                if (plain) pipelineRun.await(followup);
                else await(followup, exchange, pipelineRun);
                yield null;
            }
            case Verdict.Stop(var response) -> {
                if (reports) {
                    report(response, pipelineRun);
                    yield null;
                }
                meter.stopped();
                pipelineRun.stoppedBy(name);
                yield response;
            }
            case Verdict.Answer(var response) -> {
                meter.answered();
                pipelineRun.stoppedBy(name);
                yield response;
            }
        };
    }

    private void await(Followup followup, Exchange exchange, PipelineRun pipelineRun) {
        pipelineRun.await(followup, this);
        if (bodies != null && !followup.equals(Followup.NONE)) bodies.expect(exchange);
    }

    private void report(Response refusal, PipelineRun pipelineRun) {
        meter.reported();
        pipelineRun.reported(name, refusal);
    }

    private Verdict timedVerdict(Exchange exchange, PipelineRun pipelineRun) {
        long begun = System.nanoTime();
        Span request = exchange.span();
        Span span = request == null ? null : begin(request, exchange);
        try {
            return verdict(exchange, pipelineRun, span);
        } finally {
            meter.took(System.nanoTime() - begun);
            if (span != null && request != null) end(span, request, exchange);
        }
    }

    private Verdict verdict(Exchange exchange, PipelineRun pipelineRun, @Nullable Span span) {
        try {
            return workers == null ? policy.apply(exchange) : workers.call(api, () -> policy.apply(exchange));
        } catch (WorkersBusyException e) {
            return Verdict.stop(FailureAnswers.policyBusy(exchange));
        } catch (DependencyException e) {
            missed(e, exchange, pipelineRun, span);
            return switch (onOutage) {
                case ALLOW -> Verdict.proceed();
                case DENY, LOCAL -> Verdict.stop(Outage.response(exchange)); // only limits can be decided locally
            };
        }
    }

    /// Shows the answer to a followup of this step, under the rules that hold on the way in: its worker, its
    /// outage, its time and its span. What it wants of the body is gathered before, off its worker and its time.
    Response follow(Followup followup, Exchange exchange, Response came, PipelineRun pipelineRun) {
        if (!answers.holds(came)) return came;
        Response answer = bodies == null ? came : bodies.gather(exchange, came, pipelineRun.waiter());
        Response after = timed
                ? timedFollow(followup, exchange, answer, pipelineRun)
                : followed(followup, exchange, answer, pipelineRun, null);
        if (!reports || after.equals(answer) || after.reason().isEmpty()) return after;
        report(after, pipelineRun);
        return answer;
    }

    private Response timedFollow(Followup followup, Exchange exchange, Response answer, PipelineRun pipelineRun) {
        long begun = System.nanoTime();
        Span request = exchange.span();
        Span span = request == null ? null : begin(request, exchange);
        try {
            return followed(followup, exchange, answer, pipelineRun, span);
        } finally {
            meter.took(System.nanoTime() - begun);
            if (span != null && request != null) end(span, request, exchange);
        }
    }

    /// What the policy calls is a stretch within its own.
    private Span begin(Span request, Exchange exchange) {
        Span span = Traced.policy(request, name);
        exchange.within(span);
        return span;
    }

    private static void end(Span span, Span request, Exchange exchange) {
        exchange.within(request);
        span.end();
    }

    private Response followed(
            Followup followup, Exchange exchange, Response answer, PipelineRun pipelineRun, @Nullable Span span) {
        try {
            return workers == null ? followup.onResponse(answer) : workers.call(api, () -> followup.onResponse(answer));
        } catch (WorkersBusyException e) {
            if (!reports) pipelineRun.stoppedBy(name);
            return FailureAnswers.policyBusy(exchange);
        } catch (DependencyException e) {
            missed(e, exchange, pipelineRun, span);
            if (onOutage == OnOutage.ALLOW) return answer;
            if (!reports) pipelineRun.stoppedBy(name);
            return Outage.response(exchange);
        }
    }

    private void missed(DependencyException why, Exchange exchange, PipelineRun pipelineRun, @Nullable Span span) {
        pipelineRun.failedBy(why);
        Outage.tell(why, name, exchange);
        meter.missed();
        if (span != null) span.fail(why.dependency());
    }

    @Override
    public String toString() {
        return name;
    }
}
