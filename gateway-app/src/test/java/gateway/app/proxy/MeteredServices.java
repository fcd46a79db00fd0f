package gateway.app.proxy;

import gateway.app.metrics.Metrics;
import gateway.key.KeyStore;
import gateway.key.Plans;
import gateway.policy.FakeServices;
import gateway.policy.Services;
import gateway.service.ApiMeters;
import gateway.service.Calls;
import gateway.service.KeptParts;
import gateway.service.LimitStore;
import gateway.service.Purges;
import gateway.service.Refresher;
import gateway.service.SecretSource;
import gateway.service.ShortTerm;
import gateway.service.SlotStore;
import gateway.service.Workers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/// Fakes, but for the meters of APIs: those are what a gateway tells.
record MeteredServices(FakeServices fakes, Metrics metrics) implements Services {
    MeteredServices(Metrics metrics) {
        this(new FakeServices(), metrics);
    }

    @Override
    public KeyStore keys() {
        return fakes.keys();
    }

    @Override
    public Plans plans() {
        return fakes.plans();
    }

    @Override
    public LimitStore limits() {
        return fakes.limits();
    }

    @Override
    public LimitStore localLimits() {
        return fakes.localLimits();
    }

    @Override
    public ShortTerm shortTerm() {
        return fakes.shortTerm();
    }

    @Override
    public SlotStore slots() {
        return fakes.slots();
    }

    @Override
    public Purges purges() {
        return fakes.purges();
    }

    @Override
    public Workers workers() {
        return fakes.workers();
    }

    @Override
    public Calls calls() {
        return fakes.calls();
    }

    @Override
    public Refresher refresher() {
        return fakes.refresher();
    }

    @Override
    public SecretSource secrets() {
        return fakes.secrets();
    }

    @Override
    public InstantSource clock() {
        return fakes.clock();
    }

    @Override
    public MeterRegistry meters() {
        return metrics.registry();
    }

    @Override
    public ApiMeters metersOf(String api) {
        return metrics.of(api);
    }

    @Override
    public KeptParts parts() {
        return fakes.parts();
    }
}
