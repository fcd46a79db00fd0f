package gateway.app.metrics;

import gateway.service.StepMeter;
import java.util.function.Consumer;
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
        StepMeters known = meters;
        if (known != null && !known.isGone()) known.proceeded.increment();
        else register(registered -> registered.proceeded.increment());
    }

    @Override
    public void stopped() {
        StepMeters known = meters;
        if (known != null && !known.isGone()) known.stopped.increment();
        else register(registered -> registered.stopped.increment());
    }

    @Override
    public void answered() {
        StepMeters known = meters;
        if (known != null && !known.isGone()) known.answered.increment();
        else register(registered -> registered.answered.increment());
    }

    @Override
    public void reported() {
        StepMeters known = meters;
        if (known != null && !known.isGone()) known.reported.increment();
        else register(registered -> registered.reported.increment());
    }

    @Override
    public void missed() {
        StepMeters known = meters;
        if (known != null && !known.isGone()) known.missed.increment();
        else register(registered -> registered.missed.increment());
    }

    @Override
    public void took(long nanos) {
        StepMeters known = meters;
        if (known != null && !known.isGone()) known.took(nanos);
        else register(registered -> registered.took(nanos));
    }

    private void register(Consumer<StepMeters> then) {
        api.register(name, timed, registered -> {
            meters = registered;
            then.accept(registered);
        });
    }
}
