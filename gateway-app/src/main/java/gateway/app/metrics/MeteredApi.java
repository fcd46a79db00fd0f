package gateway.app.metrics;

import gateway.http.Outcome;
import gateway.service.ApiMeters;
import gateway.service.StepMeter;
import gateway.service.UpstreamException;
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
        requests().unanswered(kind);
    }

    @Override
    public void ended(Outcome outcome) {
        requests().ended(outcome);
    }

    StepMeters register(String step, boolean timed) {
        return table.step(id, step, timed);
    }

    private RequestMeters requests() {
        RequestMeters known = requests;
        if (known != null && !known.isGone()) return known;
        RequestMeters registered = table.requests(id);
        requests = registered;
        return registered;
    }
}
