package gateway.app.steering;

import gateway.app.metrics.ApiMeterTable;
import gateway.app.metrics.MeterNames;
import gateway.app.steering.Endpoint.Standing;
import gateway.service.Upstream;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/// How watched upstreams stand, looked at when meters are read. Those of the first so many APIs stand under their id,
/// the rest together under [ApiMeterTable#OTHER].
public final class UpstreamMetrics {
    private final Supplier<SortedMap<String, List<Upstream>>> upstreams;
    private final MeterRegistry registry;
    private final int most;
    private final MultiGauge targets;
    private final MultiGauge breakers;
    private final Map<Count, Counter> counters = new HashMap<>();
    private final Map<Object, Map<Count, Long>> before = new WeakHashMap<>(); // what a part had counted by then

    private record Watched(String api, UpstreamReadings readings) {}

    private record Count(String name, Tags tags) {}

    /// @param upstreams of each API, by its id
    /// @param most APIs that stand under their own id
    public UpstreamMetrics(Supplier<SortedMap<String, List<Upstream>>> upstreams, MeterRegistry registry, int most) {
        this.upstreams = upstreams;
        this.registry = registry;
        this.most = most;
        targets = MultiGauge.builder(MeterNames.UPSTREAM_TARGETS)
                .description("targets of watched upstreams")
                .register(registry);
        breakers = MultiGauge.builder(MeterNames.UPSTREAM_BREAKER)
                .description("0 while a circuit breaker is closed, 1 half-open, 2 open")
                .register(registry);
    }

    public synchronized void refresh() {
        var standings = new TreeMap<String, Map<Standing, Integer>>();
        var phases = new TreeMap<String, Integer>();
        var told = new HashSet<Count>();
        for (Watched each : watched()) {
            each.readings.group().ifPresent(group -> add(standings, each.api, group));
            each.readings.breaker().ifPresent(breaker -> phases.merge(each.api, number(breaker), Math::max));
            count(each, told);
        }
        var rows = new ArrayList<Row<?>>();
        standings.forEach((api, counts) -> counts.forEach((standing, count) ->
                rows.add(Row.of(Tags.of(MeterNames.API, api, MeterNames.STATE, text(standing)), count))));
        targets.register(rows, true);
        breakers.register(rows(phases, MeterNames.API), true);
        forgetAllBut(told);
    }

    private List<Watched> watched() {
        var found = new ArrayList<Watched>();
        int apis = 0;
        for (Map.Entry<String, List<Upstream>> api : upstreams.get().entrySet()) {
            List<UpstreamReadings> readings = api.getValue().stream()
                    .flatMap(upstream -> UpstreamReadings.of(upstream).stream())
                    .filter(reading -> reading.watched() || reading.mirror().isPresent())
                    .toList();
            if (readings.isEmpty()) continue;
            String tag = apis++ < most ? api.getKey() : ApiMeterTable.OTHER;
            for (UpstreamReadings each : readings) found.add(new Watched(tag, each));
        }
        return found;
    }

    private static void add(Map<String, Map<Standing, Integer>> standings, String api, Group group) {
        Map<Standing, Integer> counts = standings.computeIfAbsent(api, absent -> zeros());
        for (int place = 0; place < group.endpoints().size(); place++)
            counts.merge(group.standing(place), 1, Integer::sum);
    }

    private static Map<Standing, Integer> zeros() {
        var counts = new EnumMap<Standing, Integer>(Standing.class);
        for (Standing each : Standing.values()) counts.put(each, 0);
        return counts;
    }

    /// 0 while it is closed, 1 half-open, 2 open.
    static int number(CircuitBreaker breaker) {
        return switch (breaker.phase()) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            case OPEN -> 2;
        };
    }

    /// @param tag whose values the keys are
    static List<Row<?>> rows(Map<String, Integer> phases, String tag) {
        var rows = new ArrayList<Row<?>>();
        phases.forEach((name, phase) -> rows.add(Row.of(Tags.of(tag, name), phase)));
        return rows;
    }

    private void count(Watched upstream, Set<Count> told) {
        Tags api = Tags.of(MeterNames.API, upstream.api);
        Count breaker = new Count(MeterNames.UPSTREAM_REFUSED, api.and(MeterNames.REASON, "breaker"));
        Count bulkhead = new Count(MeterNames.UPSTREAM_REFUSED, api.and(MeterNames.REASON, "bulkhead"));
        Count sent = new Count(MeterNames.UPSTREAM_RETRIES, api.and(MeterNames.OUTCOME, "sent"));
        Count over = new Count(MeterNames.UPSTREAM_RETRIES, api.and(MeterNames.OUTCOME, "over-budget"));
        upstream.readings.mirror().ifPresent(mirror -> countMirrored(api, mirror, told));
        upstream.readings.breaker().ifPresent(part -> grow(breaker, part, part.refused(), told));
        upstream.readings.bulkhead().ifPresent(part -> grow(bulkhead, part, part.refused(), told));
        upstream.readings.retries().ifPresent(part -> grow(sent, part, part.spent(), told));
        upstream.readings.retries().ifPresent(part -> grow(over, part, part.refused(), told));
    }

    private void countMirrored(Tags api, Mirror mirror, Set<Count> told) {
        grow(mirrored(api, "sent"), mirror, mirror.sent(), told);
        grow(mirrored(api, "failed"), mirror, mirror.failed(), told);
        grow(mirrored(api, "dropped"), mirror, mirror.dropped(), told);
        grow(mirrored(api, "skipped"), mirror, mirror.skipped(), told);
    }

    private static Count mirrored(Tags api, String outcome) {
        return new Count(MeterNames.UPSTREAM_MIRRORED, api.and(MeterNames.OUTCOME, outcome));
    }

    /// Counts what `part` has counted since the last time. A part goes with the definition it was made for, the counter
    /// goes on.
    private void grow(Count count, Object part, long now, Set<Count> told) {
        told.add(count);
        Long seen = before.computeIfAbsent(part, absent -> new HashMap<>()).put(count, now);
        counters.computeIfAbsent(count, absent -> registry.counter(count.name, count.tags))
                .increment((double) (now - (seen == null ? 0 : seen)));
    }

    private void forgetAllBut(Set<Count> told) {
        for (Count gone : counters.keySet().stream()
                .filter(count -> !told.contains(count))
                .toList()) {
            Counter removed = counters.remove(gone);
            if (removed != null) registry.remove(removed);
        }
    }

    private static String text(Standing standing) {
        return standing.name().toLowerCase(Locale.ROOT);
    }
}
