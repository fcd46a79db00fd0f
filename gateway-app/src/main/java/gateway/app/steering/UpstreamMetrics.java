package gateway.app.steering;

import gateway.app.metrics.ApiMeterTable;
import gateway.app.metrics.GaugeRows;
import gateway.app.metrics.GrowingCounters;
import gateway.app.metrics.MeterNames;
import gateway.app.steering.Endpoint.Standing;
import gateway.service.Upstream;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// How watched upstreams stand, looked at when meters are read. Those of the first so many APIs stand under their id,
/// the rest together under [ApiMeterTable#OTHER].
public final class UpstreamMetrics {
    private final Supplier<SortedMap<String, List<Upstream>>> upstreams;
    private final int most;
    private final MultiGauge targets;
    private final MultiGauge breakers;
    private final GrowingCounters counters;

    private record Watched(String api, UpstreamReadings readings) {}

    /// @param upstreams of each API, by its id
    /// @param most APIs that stand under their own id
    public UpstreamMetrics(Supplier<SortedMap<String, List<Upstream>>> upstreams, MeterRegistry registry, int most) {
        this.upstreams = upstreams;
        this.most = most;
        counters = new GrowingCounters(registry);
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
        for (Watched each : watched()) {
            each.readings.group().ifPresent(group -> add(standings, each.api, group));
            each.readings.breaker().ifPresent(breaker -> phases.merge(each.api, number(breaker), Math::max));
            count(each);
        }
        var rows = new ArrayList<Row<?>>();
        standings.forEach((api, counts) -> counts.forEach((standing, count) ->
                rows.add(Row.of(Tags.of(MeterNames.API, api, MeterNames.STATE, text(standing)), count))));
        targets.register(rows, true);
        breakers.register(GaugeRows.of(phases, MeterNames.API), true);
        counters.forgetOthers();
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

    private void count(Watched upstream) {
        Tags api = Tags.of(MeterNames.API, upstream.api);
        Tags breaker = api.and(MeterNames.REASON, "breaker");
        Tags bulkhead = api.and(MeterNames.REASON, "bulkhead");
        Tags sent = api.and(MeterNames.OUTCOME, "sent");
        Tags over = api.and(MeterNames.OUTCOME, "over-budget");
        UpstreamReadings readings = upstream.readings;
        readings.mirror().ifPresent(mirror -> countMirrored(api, mirror));
        readings.breaker().ifPresent(part -> counters.tell(MeterNames.UPSTREAM_REFUSED, breaker, part, part.refused()));
        readings.bulkhead()
                .ifPresent(part -> counters.tell(MeterNames.UPSTREAM_REFUSED, bulkhead, part, part.refused()));
        readings.retries().ifPresent(part -> counters.tell(MeterNames.UPSTREAM_RETRIES, sent, part, part.spent()));
        readings.retries().ifPresent(part -> counters.tell(MeterNames.UPSTREAM_RETRIES, over, part, part.refused()));
    }

    private void countMirrored(Tags api, Mirror mirror) {
        countMirrored(api, "sent", mirror, mirror.sent());
        countMirrored(api, "failed", mirror, mirror.failed());
        countMirrored(api, "dropped", mirror, mirror.dropped());
        countMirrored(api, "skipped", mirror, mirror.skipped());
    }

    private void countMirrored(Tags api, String outcome, Mirror mirror, long now) {
        counters.tell(MeterNames.UPSTREAM_MIRRORED, api.and(MeterNames.OUTCOME, outcome), mirror, now);
    }

    private static String text(Standing standing) {
        return standing.name().toLowerCase(Locale.ROOT);
    }
}
