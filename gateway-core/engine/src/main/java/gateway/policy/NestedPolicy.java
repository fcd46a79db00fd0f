package gateway.policy;

import gateway.http.Exchange;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.DependencyException;
import gateway.service.StepMeter;
import gateway.service.Workers;
import org.jspecify.annotations.Nullable;

/// A policy within another one, with a meter and a worker of its own. What it depends on and is away is the affair of
/// the one around it.
public final class NestedPolicy {
    private final CompiledPolicy compiled;
    private final String api;
    private final StepMeter meter;
    private final boolean timed;
    private final @Nullable Workers workers; // null: whatever the one around it runs on

    private NestedPolicy(
            CompiledPolicy compiled, String api, StepMeter meter, boolean timed, @Nullable Workers workers) {
        this.compiled = compiled;
        this.api = api;
        this.meter = meter;
        this.timed = timed;
        this.workers = workers;
    }

    /// @param api of the policy around it
    /// @param pointer where it stands in that, such as `/policies/0`
    /// @throws InvalidConfigException under that pointer, when it cannot be made ready
    public static NestedPolicy compile(PolicyDefinition definition, String api, String pointer, Services services) {
        PolicySpec spec = definition.spec();
        boolean timed = spec.callsOut(services);
        StepMeter meter = services.metersOf(api).step(definition.step(), timed);
        Workers workers = spec.runsOn() == RunsOn.WORKER ? services.workers() : null;
        try {
            return new NestedPolicy(spec.compile(definition.placeIn(api), services), api, meter, timed, workers);
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(e.problems().stream()
                    .map(each -> new ConfigProblem(pointer + each.pointer(), each.message()))
                    .toList());
        }
    }

    /// What it has become.
    public CompiledPolicy compiled() {
        return compiled;
    }

    /// Asks `policy`, which is what it has become, and counts what that says of a request that somebody has sent.
    ///
    /// @throws DependencyException when something that it depends on is away
    public Verdict ask(Policy policy, Exchange exchange) {
        if (exchange.isSupposed()) return asked(policy, exchange);
        long begun = timed ? System.nanoTime() : 0;
        try {
            return counted(asked(policy, exchange));
        } catch (DependencyException e) {
            meter.missed();
            throw e;
        } finally {
            if (timed) meter.took(System.nanoTime() - begun);
        }
    }

    private Verdict asked(Policy policy, Exchange exchange) {
        return workers == null ? policy.apply(exchange) : workers.call(api, () -> policy.apply(exchange));
    }

    private Verdict counted(Verdict verdict) {
        switch (verdict) {
            case Verdict.Proceed _ -> meter.proceeded();
            case Verdict.Stop _ -> meter.stopped();
            case Verdict.Answer _ -> meter.answered();
        }
        return verdict;
    }
}
