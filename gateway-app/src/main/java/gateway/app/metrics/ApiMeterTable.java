package gateway.app.metrics;

import gateway.service.ApiMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The registered meters of all APIs. The first so many with traffic stand under their own id, the rest together under
/// [#OTHER]; what an API that is gone had goes with it, and its place is free for another.
///
/// An API that counts under [#OTHER] does so until it is compiled anew.
///
/// Requests never wait for one another here: what is to be done to the table is queued, and done at once by whoever
/// finds nobody at it. IO threads and the request threads that they carry come here alike; were there a lock, an IO
/// thread might wait for a request thread that only it can carry on.
public final class ApiMeterTable {
    /// Stands for the API's id where no API serves the request.
    static final String NONE = "none";

    /// Stands for the ids of all APIs past the bound.
    public static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Supplier<Set<String>> known;
    private final int most;
    private final Set<String> named = new HashSet<>();
    private final Map<String, RequestMeters> requests = new HashMap<>();
    private final Map<Step, StepMeters> steps = new HashMap<>();

    private final Queue<Runnable> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean busy = new AtomicBoolean();

    private record Step(String tag, String policy, boolean timed) {}

    /// @param known ids of the APIs that are served now
    /// @param most APIs that stand under their own id
    ApiMeterTable(MeterRegistry registry, Supplier<Set<String>> known, int most) {
        this.registry = registry;
        this.known = known;
        this.most = most;
    }

    ApiMeters of(String api) {
        return new MeteredApi(api, this);
    }

    /// Hands the meters to `then`: mostly at once, else when another thread comes to it.
    void requests(String api, Consumer<RequestMeters> then) {
        alone(() -> then.accept(requests(api)));
    }

    /// Counts a refusal for a reason that the API's meters have none of yet, and hands these to `then`.
    void refused(String api, String reason, Consumer<RequestMeters> then) {
        alone(() -> {
            RequestMeters meters = requests(api);
            meters.refusedAnew(reason, registry);
            then.accept(meters);
        });
    }

    /// The same for the meters of one policy.
    void step(String api, String policy, boolean timed, Consumer<StepMeters> then) {
        alone(() -> then.accept(step(api, policy, timed)));
    }

    /// Removes the meters of APIs that are no longer known.
    void forgetGone() {
        alone(this::removeGone);
    }

    private void alone(Runnable work) {
        due.add(work);
        while (!due.isEmpty() && busy.compareAndSet(false, true)) {
            try {
                for (Runnable next = due.poll(); next != null; next = due.poll()) next.run();
            } finally {
                busy.set(false);
            }
        }
    }

    private RequestMeters requests(String api) {
        return requests.computeIfAbsent(tag(api), tag -> new RequestMeters(tag, registry));
    }

    private StepMeters step(String api, String policy, boolean timed) {
        return steps.computeIfAbsent(
                new Step(tag(api), policy, timed), step -> new StepMeters(step.tag, policy, timed, registry));
    }

    private void removeGone() {
        Set<String> known = this.known.get();
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
        if (named.size() >= most) removeGone();
        if (named.size() >= most) return OTHER;
        named.add(api);
        return api;
    }
}
