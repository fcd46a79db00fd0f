package gateway.app.metrics;

import gateway.http.Outcome;
import gateway.http.UpstreamException;
import gateway.service.ApiMeters;
import gateway.service.StepMeter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The meters of one API as its pipeline holds them. They are registered at the first request, so that an API without
/// traffic costs nothing, and anew when they were removed meanwhile.
final class MeteredApi implements ApiMeters {
    private final String id;
    private final ApiMeterTable table;
    private volatile @Nullable RequestMeters requests;

    MeteredApi(String id, ApiMeterTable table) {
        this.id = id;
        this.table = table;
    }

    @Override
    public StepMeter step(String name, boolean timed) {
        return new MeteredStep(this, name, timed);
    }

    @Override
    public void unanswered(UpstreamException.Kind kind) {
        RequestMeters known = requests;
        if (known != null && !known.isGone()) known.unanswered(kind);
        else register(meters -> meters.unanswered(kind));
    }

    @Override
    public void refused(String reason) {
        RequestMeters known = requests;
        if (known == null || known.isGone() || !known.refused(reason))
            table.refused(id, reason, registered -> requests = registered);
    }

    @Override
    public void ended(Outcome outcome) {
        RequestMeters known = requests;
        if (known != null && !known.isGone()) known.ended(outcome);
        else register(meters -> meters.ended(outcome));
    }

    void register(String step, boolean timed, Consumer<StepMeters> then) {
        table.step(id, step, timed, then);
    }

    private void register(Consumer<RequestMeters> then) {
        table.requests(id, registered -> {
            requests = registered;
            then.accept(registered);
        });
    }
}
