package gateway.app.metrics;

import gateway.service.ApiMeters;
import gateway.snapshot.LiveSnapshot;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The registered meters of all APIs. The first so many with traffic stand under their own id, the rest together under
/// [#OTHER]; what an API that is gone had goes with it, and its place is free for another.
///
/// An API that counts under [#OTHER] does so until it is compiled anew.
final class ApiMeterTable {
    /// Stands for the API's id where no API serves the request.
    static final String NONE = "none";

    /// Stands for the ids of all APIs past the bound.
    static final String OTHER = "other";

    private final MeterRegistry registry;
    private final LiveSnapshot live;
    private final int most;
    private final Set<String> named = new HashSet<>();
    private final Map<String, RequestMeters> requests = new HashMap<>();
    private final Map<Step, StepMeters> steps = new HashMap<>();

    private record Step(String tag, String policy, boolean timed) {}

    /// @param most APIs that stand under their own id
    ApiMeterTable(MeterRegistry registry, LiveSnapshot live, int most) {
        this.registry = registry;
        this.live = live;
        this.most = most;
    }

    ApiMeters of(String api) {
        return new MeteredApi(api, this);
    }

    synchronized RequestMeters requests(String api) {
        return requests.computeIfAbsent(tag(api), tag -> new RequestMeters(tag, registry));
    }

    synchronized StepMeters step(String api, String policy, boolean timed) {
        return steps.computeIfAbsent(
                new Step(tag(api), policy, timed), step -> new StepMeters(step.tag, policy, timed, registry));
    }

    /// Removes the meters of APIs that are no longer known.
    synchronized void forgetGone() {
        var known = live.current().apis().keySet();
        List<String> gone = named.stream().filter(api -> !known.contains(api)).toList();
        for (String api : gone) {
            named.remove(api);
            RequestMeters removed = requests.remove(api);
            if (removed != null) removed.remove(registry);
        }
        for (Step step : new ArrayList<>(steps.keySet())) {
            StepMeters removed = gone.contains(step.tag) ? steps.remove(step) : null;
            if (removed != null) removed.remove(registry);
        }
    }

    private String tag(String api) {
        if (api.equals(NONE) || named.contains(api)) return api;
        if (named.size() >= most) forgetGone();
        if (named.size() >= most) return OTHER;
        named.add(api);
        return api;
    }
}
