package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.PassingBody;
import gateway.http.PieceChangeException;
import gateway.http.RefusalException;
import gateway.http.Response;
import gateway.http.Span;
import gateway.http.UpstreamException;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.pipeline.PipelineRun.PendingRenewal;
import gateway.policy.BodyUse;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.Followup;
import gateway.policy.LimitPolicy;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyMode;
import gateway.policy.PolicyPlace;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.ApiMeters;
import gateway.service.DependencyException;
import gateway.service.StepMeter;
import gateway.service.Upstream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The steps of one API in order, then its upstream. Immutable; walked by many requests at once.
public final class Pipeline {
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    private final Step[] steps;
    private final int tail; // where the stage UPSTREAM begins
    private final int caches; // where the stage CACHE begins, if the upstream is split; else the tail
    private final String[] inner; // fields of answers that no client gets
    private final Upstream upstream;
    private final ApiMeters meters;

    private Pipeline(Step[] steps, int tail, String[] inner, Upstream upstream, ApiMeters meters) {
        this.steps = steps;
        this.inner = inner;
        this.tail = tail;
        this.caches = upstream.branches().isEmpty() ? tail : caches(steps, tail);
        this.upstream = upstream;
        this.meters = meters;
    }

    /// Without a step: straight to what answers.
    public static Pipeline straight(Upstream upstream, ApiMeters meters) {
        return new Pipeline(new Step[0], 0, new String[0], upstream, meters);
    }

    /// Sorts the policies by stage, then by their order, and joins neighbouring limits into one step.
    ///
    /// @throws InvalidConfigException when policies cannot be made ready, each under its pointer
    public static Pipeline compile(String api, List<PolicyDefinition> policies, Upstream upstream, Services services) {
        var steps = new ArrayList<Step>();
        var limits = new ArrayList<Limit>();
        var reporting = new ArrayList<Limit>();
        ApiMeters meters = services.metersOf(api);
        var problems = new ArrayList<ConfigProblem>();
        boolean authenticates = policies.stream().anyMatch(each -> each.stage() == Stage.AUTHENTICATE);
        for (PolicyDefinition each :
                policies.stream().sorted(PolicyDefinition.ORDER).toList()) {
            var spec = each.spec();
            CompiledPolicy compiled =
                    compiled(each, each.placeIn(api).before(upstream.firstTargets()), services, problems);
            boolean timed = problems.isEmpty() && spec.callsOut(services);
            StepMeter meter = meters.step(each.step(), timed);
            boolean unknown = authenticates && each.stage().compareTo(Stage.AUTHENTICATE) <= 0;
            HeldBodies asked = each.when().readsBody()
                    ? HeldBodies.of(BodyUse.ofRequests(Condition.BODY), unknown, services)
                    : null;
            switch (compiled) {
                case LimitPolicy limit ->
                    (each.mode() == PolicyMode.REPORT ? reporting : limits).add(new Limit(each, limit, meter, asked));
                case Policy policy -> {
                    addLimits(steps, limits, reporting, services);
                    steps.add(new PolicyStep(
                            steps.size(),
                            each,
                            policy,
                            spec.runsOn() == RunsOn.WORKER ? services.workers() : null,
                            api,
                            asked,
                            HeldBodies.of(spec.bodyUse(), unknown, services),
                            PassingBodies.of(each.step(), spec.bodyUse()),
                            meter,
                            timed));
                }
            }
        }
        addLimits(steps, limits, reporting, services);
        checkBranches(policies, upstream, problems);
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        return new Pipeline(steps.toArray(Step[]::new), tail(steps), inner(policies), upstream, meters);
    }

    private static String[] inner(List<PolicyDefinition> policies) {
        return policies.stream()
                .flatMap(each -> each.spec().innerFields().stream())
                .distinct()
                .toArray(String[]::new);
    }

    private static int tail(List<Step> steps) {
        int tail = steps.size();
        while (tail > 0 && isForUpstream(steps.get(tail - 1))) tail--;
        return tail;
    }

    private static int caches(Step[] steps, int tail) {
        for (int i = 0; i < tail; i++) {
            if (steps[i].policies().getFirst().stage() == Stage.CACHE) return i;
        }
        return tail;
    }

    private static boolean isForUpstream(Step step) {
        return step.policies().getFirst().stage() == Stage.UPSTREAM;
    }

    private static void checkBranches(
            List<PolicyDefinition> policies, Upstream upstream, List<ConfigProblem> problems) {
        for (PolicyDefinition each : policies) {
            each.spec().branches().forEach((place, branch) -> {
                if (upstream.branches().contains(branch)) return;
                String known = upstream.branches().isEmpty()
                        ? "the upstream is not split"
                        : "it has " + String.join(", ", upstream.branches());
                problems.add(new ConfigProblem(
                        each.pointer() + place, "expected a branch of the upstream, got \"" + branch + "\"; " + known));
            });
        }
    }

    /// Whatever goes wrong stands under the policy's pointer; a harmless policy stands in.
    private static CompiledPolicy compiled(
            PolicyDefinition policy, PolicyPlace place, Services services, List<ConfigProblem> problems) {
        try {
            policy.spec().callsOut(services); // may be code of users, as what follows
            return Objects.requireNonNull(policy.spec().compile(place, services), "compile()");
        } catch (InvalidConfigException e) {
            for (ConfigProblem each : e.problems()) {
                problems.add(new ConfigProblem(policy.pointer() + each.pointer(), each.message()));
            }
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            LOG.warn("policy {} of API {} cannot be made ready", policy.step(), place.api(), e);
            problems.add(new ConfigProblem(policy.pointer(), "cannot be made ready: " + e));
        }
        return (Policy) _ -> Verdict.proceed();
    }

    /// Those that report are decided each by itself, once the others have let a request pass: they keep none of it.
    private static void addLimits(List<Step> steps, List<Limit> limits, List<Limit> reporting, Services services) {
        if (!limits.isEmpty())
            steps.add(
                    new LimitStep(steps.size(), limits, services.limits(), services.localLimits(), PolicyMode.ENFORCE));
        for (Limit each : reporting)
            steps.add(new LimitStep(
                    steps.size(), List.of(each), services.limits(), services.localLimits(), PolicyMode.REPORT));
        limits.clear();
        reporting.clear();
    }

    /// Walks `exchange` through the steps to the upstream and back, on the calling thread; may block. The caller ends
    /// `pipelineRun` when the exchange is over.
    ///
    /// An upstream that gives no answer, a body that outgrows its limit and a policy that breaks become problem
    /// responses here, so that followups see every answer. What broke is kept in `pipelineRun`.
    ///
    /// @throws UpstreamException of kind `CLIENT_GONE` only
    /// @throws VirtualMachineError when the process itself is in trouble, by which no deep recursion is meant
    public Response run(Exchange exchange, PipelineRun pipelineRun) {
        return unwind(exchange, pipelineRun, answer(exchange, pipelineRun));
    }

    /// Asks the steps about a request that nobody has sent, in order, on the calling thread; may block. Nothing is
    /// spent, counted or called, and no answer goes back through the followups. The body is held.
    public PipelineExplanation explain(Exchange exchange) {
        return SupposedWalk.explain(steps, exchange);
    }

    /// Asks the upstream behind an answer that one of the steps has given, and shows what comes to the followups; may
    /// block. The caller reads the body to its end, and ends `pipelineRun` then.
    ///
    /// @param exchange as that step has met it, its branch chosen
    /// @param pipelineRun a new one
    /// @return what no client gets; empty when there was nothing to ask
    public Optional<Response> renew(PendingRenewal renewal, Exchange exchange, PipelineRun pipelineRun) {
        Optional<Followup> followup = renewal.renewal().begin(exchange);
        if (followup.isEmpty()) return Optional.empty();
        int place = renewal.place();
        if (steps[place] instanceof PolicyStep step) step.awaitBehind(followup.get(), exchange, pipelineRun);
        Response stop = walk(place + 1, tail, exchange, pipelineRun);
        Response answer = stop == null ? sent(exchange, pipelineRun) : stop;
        return Optional.of(unwind(exchange, pipelineRun, answer));
    }

    private Response answer(Exchange exchange, PipelineRun pipelineRun) {
        Response stop = walk(0, caches, exchange, pipelineRun);
        if (stop == null && caches < tail) stop = walkOfBranch(exchange, pipelineRun);
        return stop == null ? sent(exchange, pipelineRun) : stop;
    }

    private Response sent(Exchange exchange, PipelineRun pipelineRun) {
        try {
            upstream.about(exchange, pipelineRun.waiter());
            return tail == steps.length ? send(exchange, pipelineRun.waiter()) : sendReady(exchange, pipelineRun);
        } catch (UpstreamException e) {
            return unanswered(e, exchange, pipelineRun);
        } catch (RefusalException e) { // no policy's affair: the body streams
            return FailureAnswers.requestUnseen(e, exchange);
        } catch (PieceChangeException e) {
            return pipelineRun.broken(e.owner(), e, exchange);
        } catch (Throwable e) {
            return pipelineRun.broken(Objects.requireNonNullElse(pipelineRun.stoppedBy(), ""), e, exchange);
        }
    }

    /// A cache tells the answers of branches apart.
    private @Nullable Response walkOfBranch(Exchange exchange, PipelineRun pipelineRun) {
        upstream.choose(exchange);
        return walk(caches, tail, exchange, pipelineRun);
    }

    /// Through the steps from `first` up to `end`; null when all let it pass. Whatever one of them throws ends the
    /// request in its name.
    private @Nullable Response walk(int first, int end, Exchange exchange, PipelineRun pipelineRun) {
        int at = first;
        try {
            for (; at < end; at++) {
                Response stop = steps[at].take(exchange, pipelineRun);
                if (stop != null) return stop;
            }
            return null;
        } catch (UpstreamException e) { // the client broke off while its body was held
            return unanswered(e, exchange, pipelineRun);
        } catch (RefusalException e) {
            pipelineRun.refusedAt(named(at, pipelineRun), e);
            return FailureAnswers.requestUnseen(e, exchange);
        } catch (Throwable e) {
            return pipelineRun.broken(named(at, pipelineRun), e, exchange);
        }
    }

    /// A step of several policies has said which of them it was.
    private String named(int step, PipelineRun pipelineRun) {
        String told = pipelineRun.stoppedBy();
        return told == null ? steps[step].toString() : told;
    }

    /// Through the stage UPSTREAM to the upstream; twice when a policy of that stage wants it so.
    private Response sendReady(Exchange exchange, PipelineRun pipelineRun) {
        int first = pipelineRun.followups();
        boolean again = false;
        while (true) {
            Response stop = walk(tail, steps.length, exchange, pipelineRun);
            if (stop != null) return stop;
            Response answer = send(exchange, pipelineRun.waiter());
            if (again || !pipelineRun.wantsAgain(first, answer, steps)) return answer;
            again = !(exchange.outgoing().body() instanceof PassingBody) // its stations have seen it
                    && pipelineRun.waiter().sendsAgain();
            if (!again) return answer;
            pipelineRun.forgetFrom(first);
        }
    }

    /// Shows the answer to the followups, innermost first, to each once, whatever any of them throws: what one makes
    /// of it, or what becomes of its failure, is what the next one sees.
    private Response unwind(Exchange exchange, PipelineRun pipelineRun, Response answer) {
        Response current = pipelineRun.toldSoundly(answer, exchange);
        exchange.answered(current);
        for (int i = pipelineRun.followups() - 1; i >= 0; i--) {
            current = pipelineRun.toldSoundly(followed(i, exchange, current, pipelineRun), exchange);
            exchange.answered(current); // nobody holds on to one that another has taken the place of
        }
        for (String each : inner) current.headers().remove(each); // only now: each policy that wants them has seen them
        return current;
    }

    private Response followed(int index, Exchange exchange, Response answer, PipelineRun pipelineRun) {
        try {
            Response after = Objects.requireNonNull(pipelineRun.follow(index, exchange, answer), "onResponse()");
            if (PolicyStep.isRefusal(after, answer)) pipelineRun.refusedBy(index, steps);
            return after;
        } catch (UpstreamException e) { // it broke off while its body was held
            return unanswered(e, exchange, pipelineRun);
        } catch (RefusalException e) {
            pipelineRun.refusedAt(pipelineRun.owner(index, steps), e);
            return FailureAnswers.answerUnseen(e, exchange);
        } catch (DependencyException e) {
            String step = pipelineRun.owner(index, steps);
            Outage.tell(e, step, exchange);
            pipelineRun.refusedAt(step, e);
            return Outage.response(exchange);
        } catch (Throwable e) {
            return pipelineRun.broken(pipelineRun.owner(index, steps), e, exchange);
        }
    }

    private Response unanswered(UpstreamException e, Exchange exchange, PipelineRun pipelineRun) {
        if (e.kind() == UpstreamException.Kind.CLIENT_GONE) throw e;
        pipelineRun.failedBy(e);
        meters.unanswered(e.kind());
        return FailureAnswers.unanswered(e, exchange);
    }

    private Response send(Exchange exchange, UpstreamWaiter waiter) {
        Span span = exchange.span();
        return span == null ? upstream.send(exchange, waiter) : Traced.send(upstream, exchange, waiter, span);
    }

    public Upstream upstream() {
        return upstream;
    }

    /// What counts this API's requests.
    public ApiMeters meters() {
        return meters;
    }

    /// The steps' names in order, such as `[key-auth, rate-limit]`.
    @Override
    public String toString() {
        return Arrays.toString(steps);
    }
}
