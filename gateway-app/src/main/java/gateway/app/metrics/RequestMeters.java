package gateway.app.metrics;

import gateway.http.Outcome;
import gateway.http.UpstreamException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The registered meters of requests under one value of the tag `api`.
final class RequestMeters {
    private static final int MOST_REASONS = 64; // the gateway's own are fewer; policies of users may bring any
    private static final int CLASSES = 6; // 0: a status that is none

    private final LongAdder[] byClass = new LongAdder[CLASSES];
    private final Map<UpstreamException.Kind, LongAdder> byKind = new EnumMap<>(UpstreamException.Kind.class);
    private final Map<Outcome.Ending, LongAdder> byEnding = new EnumMap<>(Outcome.Ending.class);
    private final Map<String, LongAdder> byReason = new ConcurrentHashMap<>();
    private final Tags tags;
    private final Timer total;
    private final Timer upstream;
    private final Timer own;
    private final List<Meter> all = new ArrayList<>();
    private volatile boolean gone;

    RequestMeters(String api, MeterRegistry registry) {
        tags = Tags.of(MeterNames.API, api);
        for (int i = 0; i < CLASSES; i++) {
            byClass[i] = new LongAdder();
            if (i == 0) continue;
            count(
                    byClass[i],
                    MeterNames.REQUESTS,
                    "finished requests",
                    tags.and(MeterNames.STATUS, i + "xx"),
                    registry);
        }
        for (UpstreamException.Kind kind : UpstreamException.Kind.values()) {
            if (kind == UpstreamException.Kind.CLIENT_GONE) continue; // not the upstream's doing
            var failures = new LongAdder();
            byKind.put(kind, failures);
            Tags kinds = tags.and(MeterNames.KIND, text(kind));
            count(failures, MeterNames.UPSTREAM_FAILURES, "requests that the upstream did not answer", kinds, registry);
        }
        for (Outcome.Ending ending : Outcome.Ending.values()) {
            if (ending == Outcome.Ending.COMPLETE) continue;
            var broken = new LongAdder();
            byEnding.put(ending, broken);
            Tags endings = tags.and(MeterNames.ENDING, ending.word());
            count(broken, MeterNames.REQUESTS_BROKEN, "requests whose answer did not leave whole", endings, registry);
        }
        total = timer(Latency.ANSWER, MeterNames.REQUEST_DURATION, "from request head to last byte", tags, registry);
        upstream = timer(Latency.ANSWER, MeterNames.UPSTREAM_DURATION, "wait for the response head", tags, registry);
        own = timer(Latency.OWN, MeterNames.GATEWAY_DURATION, "the rest, without the upstream", tags, registry);
    }

    void ended(Outcome outcome) {
        int statusClass = outcome.statusClass();
        byClass[statusClass < CLASSES ? statusClass : 0].increment();
        if (outcome.ending() != Outcome.Ending.COMPLETE) increment(byEnding.get(outcome.ending()));
        total.record(outcome.totalNanos(), TimeUnit.NANOSECONDS);
        own.record(Math.max(0, outcome.totalNanos() - outcome.upstreamNanos()), TimeUnit.NANOSECONDS);
        if (outcome.upstreamNanos() > 0) upstream.record(outcome.upstreamNanos(), TimeUnit.NANOSECONDS);
    }

    void unanswered(UpstreamException.Kind kind) {
        increment(byKind.get(kind));
    }

    /// Counts a refusal; false when there has been none for that reason, and [#refusedAnew] is to count it.
    boolean refused(String reason) {
        LongAdder count = byReason.get(reason);
        if (count == null) return false;
        count.increment();
        return true;
    }

    /// Counts a refusal for what may be another reason than those before. Called by one thread at a time.
    void refusedAnew(String reason, MeterRegistry registry) {
        String tag = byReason.size() < MOST_REASONS ? reason : ApiMeterTable.OTHER;
        if (refused(reason) || refused(tag)) return;
        var count = new LongAdder();
        count.increment();
        count(
                count,
                MeterNames.REFUSALS,
                "requests that the gateway refused",
                tags.and(MeterNames.REASON, tag),
                registry);
        byReason.put(tag, count);
    }

    /// Whether they were taken out of the registry, since their API is gone.
    boolean isGone() {
        return gone;
    }

    void remove(MeterRegistry registry) {
        gone = true;
        all.forEach(registry::remove);
    }

    private static void increment(@Nullable LongAdder counter) {
        if (counter != null) counter.increment();
    }

    private void count(LongAdder value, String name, String description, Tags tags, MeterRegistry registry) {
        all.add(FunctionCounter.builder(name, value, LongAdder::sum)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private Timer timer(Latency buckets, String name, String description, Tags tags, MeterRegistry registry) {
        Timer timer = buckets.timer(name, description).tags(tags).register(registry);
        all.add(timer);
        return timer;
    }

    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
