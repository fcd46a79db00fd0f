package gateway.app.metrics;

import gateway.service.StepMeter;
import org.jspecify.annotations.Nullable;

/// The meter of one policy of one API. Its meters are registered at the policy's first decision.
final class MeteredStep implements StepMeter {
    private final MeteredApi api;
    private final String name;
    private final boolean timed;
    private volatile @Nullable StepMeters meters;

    MeteredStep(MeteredApi api, String name, boolean timed) {
        this.api = api;
        this.name = name;
        this.timed = timed;
    }

    @Override
    public void proceeded() {
        meters().proceeded.increment();
    }

    @Override
    public void stopped() {
        meters().stopped.increment();
    }

    @Override
    public void missed() {
        meters().missed.increment();
    }

    @Override
    public void took(long nanos) {
        meters().took(nanos);
    }

    private StepMeters meters() {
        StepMeters known = meters;
        if (known != null && !known.isGone()) return known;
        StepMeters registered = api.register(name, timed);
        meters = registered;
        return registered;
    }
}
