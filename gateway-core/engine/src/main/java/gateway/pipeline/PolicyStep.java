package gateway.pipeline;

import gateway.http.BodyRefusedException;
import gateway.http.BodyTooLargeException;
import gateway.http.Exchange;
import gateway.http.RefusalException;
import gateway.http.Response;
import gateway.http.Span;
import gateway.pipeline.StepExplanation.Said;
import gateway.policy.AnswerCondition;
import gateway.policy.Condition;
import gateway.policy.Followup;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyMode;
import gateway.policy.Verdict;
import gateway.service.DependencyException;
import gateway.service.StepMeter;
import gateway.service.Workers;
import gateway.service.WorkersBusyException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A step of one policy.
final class PolicyStep implements Step {
    private final int place;
    private final PolicyDefinition definition;
    private final String name;
    private final Policy policy;
    private final Condition when;
    private final @Nullable HeldBodies asked; // what the condition wants whole; null: nothing
    private final AnswerCondition answers;
    private final OnOutage onOutage;
    private final boolean reports;
    private final boolean showsUnread; // requests that it cannot see whole, of which it only reports
    private final boolean reportsAnswers;
    private final @Nullable Workers workers; // null: the request's own thread
    private final String api;
    private final @Nullable HeldBodies bodies; // what is held for it; null: nothing
    private final @Nullable PassingBodies passing; // what it sees or changes on its way; null: nothing
    private final StepMeter meter;
    private final boolean timed;
    private final boolean plain; // nothing but the policy itself is to be called

    /// @param place in the pipeline
    /// @param workers what the policy runs on; null for the request's own thread
    /// @param api whose share of the workers it takes
    /// @param asked what its condition wants whole; null when that is nothing
    /// @param bodies what it wants whole itself; likewise
    /// @param passing what it wants of bodies that pass; likewise
    PolicyStep(
            int place,
            PolicyDefinition definition,
            Policy policy,
            @Nullable Workers workers,
            String api,
            @Nullable HeldBodies asked,
            @Nullable HeldBodies bodies,
            @Nullable PassingBodies passing,
            StepMeter meter,
            boolean timed) {
        this.place = place;
        this.definition = definition;
        this.name = definition.step();
        this.policy = policy;
        this.when = definition.when();
        this.asked = asked;
        this.answers = definition.answers();
        this.onOutage = definition.onOutage();
        this.reports = definition.mode() == PolicyMode.REPORT;
        this.showsUnread = !reports && definition.spec().reportsRequests();
        this.reportsAnswers = reports || definition.spec().reportsAnswers();
        this.workers = workers;
        this.api = api;
        this.bodies = bodies;
        this.passing = passing;
        this.meter = meter;
        this.timed = timed;
        this.plain = !timed
                && !reports
                && workers == null
                && onOutage == OnOutage.DENY
                && answers.equals(AnswerCondition.ALWAYS)
                && (bodies == null || !bodies.ofResponses())
                && passing == null;
    }

    @Override
    public @Nullable Response take(Exchange exchange, PipelineRun pipelineRun) {
        if (!reports) return taken(exchange, pipelineRun);
        try {
            return taken(exchange, pipelineRun);
        } catch (RefusalException e) {
            report(FailureAnswers.requestUnseen(e, exchange), pipelineRun);
            return null;
        }
    }

    private @Nullable Response taken(Exchange exchange, PipelineRun pipelineRun) {
        if (!applies(exchange, pipelineRun)) return null;
        Response unread = bodies == null ? null : gathered(bodies, exchange, pipelineRun);
        return switch (timed ? timedVerdict(exchange, pipelineRun) : verdict(exchange, pipelineRun, null)) {
            case Verdict.Proceed(var followup) -> {
                if (plain && !pipelineRun.isCrowded()) {
                    meter.proceeded();
                    pipelineRun.await(followup, place);
                } else await(followup, unread, exchange, pipelineRun);
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
            case Verdict.Answer(var response, var renewal) -> {
                meter.answered();
                pipelineRun.stoppedBy(name);
                if (renewal.isPresent()) pipelineRun.renewBehind(renewal.get(), place);
                yield response;
            }
        };
    }

    /// Has `followup` shown what comes behind an answer that was given.
    void awaitBehind(Followup followup, Exchange exchange, PipelineRun pipelineRun) {
        pipelineRun.await(followup, this);
        if (passing != null) passing.join(followup, exchange, pipelineRun);
    }

    /// What the policy would refuse a request for that it cannot see; null when all that it wants is here.
    private @Nullable Response gathered(HeldBodies wanted, Exchange exchange, PipelineRun pipelineRun) {
        try {
            wanted.gather(exchange, pipelineRun.waiter());
            return null;
        } catch (BodyTooLargeException | BodyRefusedException e) {
            if (!showsUnread) throw e;
            return FailureAnswers.requestUnseen(e, exchange);
        }
    }

    int place() {
        return place;
    }

    private boolean applies(Exchange exchange, PipelineRun pipelineRun) {
        if (asked != null && when.needsBody(exchange)) asked.gather(exchange, pipelineRun.waiter());
        return when.holds(exchange);
    }

    /// @param unread why it has not seen the request; null: it has
    private void await(Followup followup, @Nullable Response unread, Exchange exchange, PipelineRun pipelineRun) {
        pipelineRun.await(followup, this);
        Optional<Response> refusal = unread == null ? followup.reported() : Optional.of(unread);
        if (refusal.isPresent()) report(refusal.get(), pipelineRun);
        else if (!mayReport(followup)) meter.proceeded();
        if (followup.equals(Followup.NONE)) return;
        if (bodies != null) bodies.expect(exchange);
        if (passing != null) passing.join(followup, exchange, pipelineRun);
    }

    /// Whether what the policy says of the request is known, and counted, once the answer is.
    private boolean mayReport(Followup followup) {
        return !followup.equals(Followup.NONE) && (reports || followup.mayReportAnswer());
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
            return asked(exchange);
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

    private Verdict asked(Exchange exchange) {
        return workers == null ? policy.apply(exchange) : workers.call(api, () -> policy.apply(exchange));
    }

    @Override
    public @Nullable Response explain(Exchange exchange, PipelineRun pipelineRun, List<StepExplanation> told) {
        if (!reports) return explained(exchange, pipelineRun, told);
        long begun = System.nanoTime();
        try {
            return explained(exchange, pipelineRun, told);
        } catch (RefusalException e) {
            return stops(FailureAnswers.requestUnseen(e, exchange), "", told, begun);
        }
    }

    private @Nullable Response explained(Exchange exchange, PipelineRun pipelineRun, List<StepExplanation> told) {
        if (!applies(exchange, pipelineRun)) {
            told.add(StepExplanation.skipped(definition));
            return null;
        }
        Optional<String> effect = definition.spec().sideEffect();
        if (effect.isPresent()) {
            told.add(StepExplanation.notRun(definition, effect.get()));
            return null;
        }
        long begun = System.nanoTime();
        try {
            if (bodies != null) {
                var _ = gathered(bodies, exchange, pipelineRun); // it says by itself what it reports of
            }
            return explained(asked(exchange), pipelineRun, told, begun);
        } catch (WorkersBusyException e) {
            return stops(FailureAnswers.policyBusy(exchange), "no worker is free", told, begun);
        } catch (DependencyException e) {
            String why = e.getMessage() + ", and onOutage is " + onOutage.name().toLowerCase(Locale.ROOT);
            if (onOutage != OnOutage.ALLOW) return stops(Outage.response(exchange), why, told, begun);
            told.add(StepExplanation.proceeds(definition, why, System.nanoTime() - begun));
            return null;
        } catch (RefusalException e) {
            return stops(FailureAnswers.requestUnseen(e, exchange), "", told, begun);
        }
    }

    private @Nullable Response explained(
            Verdict verdict, PipelineRun pipelineRun, List<StepExplanation> told, long begun) {
        return switch (verdict) {
            case Verdict.Proceed(var followup) -> {
                pipelineRun.await(followup, place);
                told.add(StepExplanation.proceeds(definition, "", System.nanoTime() - begun));
                yield null;
            }
            case Verdict.Stop(var response) -> stops(response, "", told, begun);
            case Verdict.Answer(var response, var _) -> ends(Said.ANSWER, response, told, begun);
        };
    }

    private @Nullable Response stops(Response response, String why, List<StepExplanation> told, long begun) {
        told.add(StepExplanation.ends(definition, Said.STOP, why, response, System.nanoTime() - begun));
        return reports ? null : response;
    }

    private Response ends(Said said, Response response, List<StepExplanation> told, long begun) {
        told.add(StepExplanation.ends(definition, said, "", response, System.nanoTime() - begun));
        return response;
    }

    @Override
    public List<PolicyDefinition> policies() {
        return List.of(definition);
    }

    /// Shows the answer to a followup of this step, under the rules that hold on the way in: its worker, its
    /// outage, its time and its span. What it wants of the body is gathered before, off its worker and its time.
    Response follow(Followup followup, Exchange exchange, Response came, PipelineRun pipelineRun) {
        try {
            return seen(followup, exchange, came, pipelineRun);
        } finally {
            if (mayReport(followup) && !pipelineRun.hasReported(name)) meter.proceeded();
        }
    }

    /// Whether a followup has refused the answer `before`, rather than changed what is a refusal already.
    static boolean isRefusal(Response after, Response before) {
        return !after.reason().isEmpty() && !after.reason().equals(before.reason());
    }

    /// It has refused an answer.
    void refusedAnswer() {
        meter.stopped();
    }

    private Response seen(Followup followup, Exchange exchange, Response came, PipelineRun pipelineRun) {
        if (!answers.holds(came)) return came;
        if (!reportsAnswers) return judged(followup, exchange, gathered(exchange, came, pipelineRun), pipelineRun);
        Response answer = came;
        try {
            if (bodies != null) answer = bodies.hold(exchange, came);
            answer = gathered(exchange, answer, pipelineRun);
            return judged(followup, exchange, answer, pipelineRun);
        } catch (RefusalException e) {
            report(FailureAnswers.answerUnseen(e, exchange), pipelineRun);
            return answer;
        }
    }

    private Response gathered(Exchange exchange, Response came, PipelineRun pipelineRun) {
        return bodies == null ? came : bodies.gather(exchange, came, pipelineRun.waiter());
    }

    private Response judged(Followup followup, Exchange exchange, Response gathered, PipelineRun pipelineRun) {
        Response answer = gathered;
        if (passing != null) answer = passing.join(followup, exchange, answer, pipelineRun);
        Response after = timed
                ? timedFollow(followup, exchange, answer, pipelineRun)
                : followed(followup, exchange, answer, pipelineRun, null);
        followup.reported().ifPresent(refusal -> report(refusal, pipelineRun));
        if (!reports || !isRefusal(after, answer)) return after;
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
