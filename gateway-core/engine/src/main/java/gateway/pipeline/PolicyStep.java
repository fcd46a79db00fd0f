package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.Span;
import gateway.policy.Condition;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.RunsOn;
import gateway.policy.Verdict;
import gateway.service.DependencyException;
import gateway.service.StepMeter;
import org.jspecify.annotations.Nullable;

/// A step of one policy.
final class PolicyStep implements Step {
    private final String name;
    private final Policy policy;
    private final Condition when;
    private final OnOutage onOutage;
    private final RunsOn runsOn;
    private final StepMeter meter;
    private final boolean timed;

    PolicyStep(
            String name,
            Policy policy,
            Condition when,
            OnOutage onOutage,
            RunsOn runsOn,
            StepMeter meter,
            boolean timed) {
        this.name = name;
        this.policy = policy;
        this.when = when;
        this.onOutage = onOutage;
        this.runsOn = runsOn;
        this.meter = meter;
        this.timed = timed;
    }

    @Override
    public @Nullable Response take(Exchange exchange, PipelineRun pipelineRun) {
        if (!when.holds(exchange)) return null;
        return switch (timed ? timedVerdict(exchange) : verdict(exchange, null)) {
            case Verdict.Proceed(var followup) -> {
                meter.proceeded();
                pipelineRun.await(followup);
                yield null;
            }
            case Verdict.Stop(var response) -> {
                meter.stopped();
                pipelineRun.stoppedBy(name);
                yield response;
            }
        };
    }

    private Verdict timedVerdict(Exchange exchange) {
        long begun = System.nanoTime();
        Span request = exchange.span();
        Span span = request == null ? null : Traced.policy(request, name);
        try {
            return verdict(exchange, span);
        } finally {
            meter.took(System.nanoTime() - begun);
            if (span != null) span.end();
        }
    }

    private Verdict verdict(Exchange exchange, @Nullable Span span) {
        try {
            return runsOn == RunsOn.WORKER ? Worker.call(() -> policy.apply(exchange)) : policy.apply(exchange);
        } catch (DependencyException e) {
            Outage.tell(e, name, exchange);
            meter.missed();
            if (span != null) span.fail(e.dependency());
            return switch (onOutage) {
                case ALLOW -> Verdict.proceed();
                case DENY, LOCAL -> Verdict.stop(Outage.response(exchange)); // only limits can be decided locally
            };
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
