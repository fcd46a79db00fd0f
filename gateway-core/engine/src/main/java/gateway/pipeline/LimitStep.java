package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.RefusalException;
import gateway.http.Response;
import gateway.http.Span;
import gateway.pipeline.StepExplanation.Said;
import gateway.policy.OnOutage;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyMode;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.DependencyException;
import gateway.service.LimitStore;
import gateway.service.Permit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A step of neighbouring limit policies, decided in one call to the store: all spend or none.
final class LimitStep implements Step {
    private final int place;
    private final Limit[] limits;
    private final LimitStore store;
    private final LimitStore local;
    private final boolean timed;
    private final boolean reports;

    /// @param place in the pipeline
    LimitStep(int place, List<Limit> limits, LimitStore store, LimitStore local, PolicyMode mode) {
        this.place = place;
        this.limits = limits.toArray(Limit[]::new);
        this.store = store;
        this.local = local;
        this.timed = store.isRemote();
        this.reports = mode == PolicyMode.REPORT;
    }

    @Override
    public @Nullable Response take(Exchange exchange, PipelineRun pipelineRun) {
        ArrayList<Limit> asked = null;
        ArrayList<Charge> charges = null;
        for (Limit limit : limits) {
            Optional<Charge> charge = charge(limit, exchange, pipelineRun);
            if (charge.isEmpty()) continue;
            if (charges == null || asked == null) {
                asked = new ArrayList<>(limits.length);
                charges = new ArrayList<>(limits.length);
            } else if (isAmong(charges, charge.get())) {
                continue;
            }
            asked.add(limit);
            charges.add(reports ? apart(charge.get()) : charge.get());
        }
        if (charges == null || asked == null) return null;
        try {
            return settle(
                    exchange, pipelineRun, asked, timed ? timed(exchange, asked, charges) : store.acquire(charges));
        } catch (DependencyException e) {
            Outage.tell(e, toString(), exchange);
            pipelineRun.failedBy(e);
            return withoutStore(exchange, pipelineRun, asked, charges, e);
        }
    }

    /// Empty when it does not count this request. Whatever it throws, it is known which limit it was.
    private Optional<Charge> charge(Limit limit, Exchange exchange, PipelineRun pipelineRun) {
        try {
            return limit.applies(exchange, pipelineRun) ? limit.policy().charge(exchange) : Optional.empty();
        } catch (RefusalException e) {
            if (!reports) {
                pipelineRun.stoppedBy(limit.name());
                throw e;
            }
            stopped(limit, FailureAnswers.requestUnseen(e, exchange), pipelineRun);
            return Optional.empty();
        } catch (Throwable e) {
            pipelineRun.stoppedBy(limit.name());
            throw e;
        }
    }

    /// Two limits that both give way to the caller's own make one charge: it is spent once, and settled once, as the
    /// first of them says.
    private static boolean isAmong(List<Charge> charges, Charge charge) {
        for (int i = 0; i < charges.size(); i++) {
            if (charges.get(i).counter().equals(charge.counter())) return true;
        }
        return false;
    }

    /// Each of the limits has waited for the one call.
    private List<Permit> timed(Exchange exchange, List<Limit> asked, List<Charge> charges) {
        long begun = System.nanoTime();
        Span request = exchange.span();
        Span span = request == null ? null : Traced.policy(request, names(asked.stream()));
        try {
            return store.acquire(charges);
        } catch (DependencyException e) {
            if (span != null) span.fail(e.dependency());
            throw e;
        } finally {
            if (span != null) span.end();
            long nanos = System.nanoTime() - begun;
            for (Limit limit : asked) limit.meter().took(nanos);
        }
    }

    private @Nullable Response settle(
            Exchange exchange, PipelineRun pipelineRun, List<Limit> asked, List<Permit> permits) {
        for (int i = 0; i < permits.size(); i++) {
            if (permits.get(i) instanceof Permit.Denied)
                return settle(exchange, pipelineRun, asked.get(i), permits.get(i));
        }
        for (int i = 0; i < permits.size(); i++) {
            Response stop = settle(exchange, pipelineRun, asked.get(i), permits.get(i));
            if (stop != null) return stop;
        }
        return null;
    }

    private @Nullable Response settle(Exchange exchange, PipelineRun pipelineRun, Limit limit, Permit permit) {
        return switch (verdict(limit, exchange, permit, pipelineRun)) {
            case Verdict.Proceed(var followup) -> {
                limit.meter().proceeded();
                if (!reports) pipelineRun.await(followup, place); // it tells the client of a limit that does not hold
                yield null;
            }
            case Verdict.Stop(var response) -> stopped(limit, response, pipelineRun);
            case Verdict.Answer(var response, var _) -> {
                limit.meter().answered();
                pipelineRun.stoppedBy(limit.name());
                yield response;
            }
        };
    }

    private static Verdict verdict(Limit limit, Exchange exchange, Permit permit, PipelineRun pipelineRun) {
        try {
            return limit.policy().settle(exchange, permit);
        } catch (Throwable e) {
            pipelineRun.stoppedBy(limit.name());
            throw e;
        }
    }

    private @Nullable Response stopped(Limit limit, Response response, PipelineRun pipelineRun) {
        if (reports) {
            limit.meter().reported();
            pipelineRun.reported(limit.name(), response);
            return null;
        }
        limit.meter().stopped();
        pipelineRun.stoppedBy(limit.name());
        return response;
    }

    @Override
    public @Nullable Response explain(Exchange exchange, PipelineRun pipelineRun, List<StepExplanation> told) {
        Response end = null;
        var charges = new ArrayList<Charge>(limits.length);
        for (Limit limit : limits) {
            StepExplanation said = explained(limit, exchange, pipelineRun, charges);
            told.add(said);
            if (end == null && !reports) end = said.response().orElse(null);
        }
        return end;
    }

    /// @param before charges of limits before it
    private StepExplanation explained(Limit limit, Exchange exchange, PipelineRun pipelineRun, List<Charge> before) {
        long begun = System.nanoTime();
        try {
            if (!limit.applies(exchange, pipelineRun)) return StepExplanation.skipped(limit.definition());
        } catch (RefusalException e) {
            if (!reports) throw e;
            Response refusal = FailureAnswers.requestUnseen(e, exchange);
            return StepExplanation.ends(limit.definition(), Said.STOP, "", refusal, System.nanoTime() - begun);
        }
        Optional<Charge> charge = limit.policy().charge(exchange);
        if (charge.isEmpty()) return StepExplanation.proceeds(limit.definition(), "it does not count this request", 0);
        if (isAmong(before, charge.get()))
            return StepExplanation.proceeds(limit.definition(), "a limit before it counts in its place", 0);
        before.add(charge.get());
        List<Charge> charges = List.of(reports ? apart(charge.get()) : charge.get());
        try {
            return peeked(limit, exchange, store.peek(charges).getFirst(), "", begun);
        } catch (DependencyException e) {
            OnOutage onOutage = onOutage(limit, e);
            String why = e.getMessage() + ", and onOutage is " + onOutage.name().toLowerCase(Locale.ROOT);
            return switch (onOutage) {
                case ALLOW -> StepExplanation.proceeds(limit.definition(), why, System.nanoTime() - begun);
                case DENY ->
                    StepExplanation.ends(
                            limit.definition(), Said.STOP, why, Outage.response(exchange), System.nanoTime() - begun);
                case LOCAL -> peeked(limit, exchange, local.peek(charges).getFirst(), why, begun);
            };
        }
    }

    /// Followups of what was not spent are not awaited: they would give it back.
    private static StepExplanation peeked(Limit limit, Exchange exchange, Permit permit, String why, long begun) {
        PolicyDefinition definition = limit.definition();
        long nanos = System.nanoTime() - begun;
        StepExplanation said = switch (limit.policy().settle(exchange, permit)) {
            case Verdict.Proceed _ -> StepExplanation.proceeds(definition, why, nanos);
            case Verdict.Stop(var response) -> StepExplanation.ends(definition, Said.STOP, why, response, nanos);
            case Verdict.Answer(var response, var _) ->
                StepExplanation.ends(definition, Said.ANSWER, why, response, nanos);
        };
        return said.counting(permit);
    }

    @Override
    public List<PolicyDefinition> policies() {
        return Arrays.stream(limits).map(Limit::definition).toList();
    }

    /// What is only reported is counted apart: a caller's own counter is that of all its limits.
    private static Charge apart(Charge charge) {
        return new Charge(
                "report:" + charge.counter(),
                charge.subject(),
                charge.rule(),
                charge.counting(),
                charge.durable(),
                charge.amount());
    }

    /// Where this node was too slow to know what the store has decided, that is no outage: its own counters stand in.
    private static OnOutage onOutage(Limit limit, DependencyException why) {
        return why.isStarved() ? OnOutage.LOCAL : limit.onOutage();
    }

    private @Nullable Response withoutStore(
            Exchange exchange,
            PipelineRun pipelineRun,
            List<Limit> asked,
            List<Charge> charges,
            DependencyException why) {
        var decidable = new ArrayList<Limit>(asked.size());
        var localCharges = new ArrayList<Charge>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            Limit limit = asked.get(i);
            limit.meter().missed();
            OnOutage onOutage = onOutage(limit, why);
            if (onOutage == OnOutage.DENY) return stopped(limit, Outage.response(exchange), pipelineRun);
            if (onOutage == OnOutage.ALLOW) {
                limit.meter().proceeded();
                continue;
            }
            decidable.add(limit);
            localCharges.add(charges.get(i));
        }
        if (decidable.isEmpty()) return null;
        return settle(exchange, pipelineRun, decidable, local.acquire(localCharges));
    }

    @Override
    public String toString() {
        return names(Arrays.stream(limits));
    }

    private static String names(Stream<Limit> limits) {
        return limits.map(Limit::name).collect(Collectors.joining(", "));
    }
}
