package gateway.app.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The registered meters of one policy under one value of the tag `api`.
final class StepMeters {
    final LongAdder proceeded = new LongAdder();
    final LongAdder stopped = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder reported = new LongAdder();
    final LongAdder missed = new LongAdder();
    private final @Nullable Timer time;
    private final List<Meter> all = new ArrayList<>();
    private volatile boolean gone;

    StepMeters(String api, String policy, boolean timed, MeterRegistry registry) {
        Tags tags = Tags.of(MeterNames.API, api, MeterNames.POLICY, policy);
        String verdicts = "decisions of policies";
        count(proceeded, MeterNames.VERDICTS, verdicts, tags.and(MeterNames.VERDICT, "proceed"), registry);
        count(stopped, MeterNames.VERDICTS, verdicts, tags.and(MeterNames.VERDICT, "stop"), registry);
        count(answered, MeterNames.VERDICTS, verdicts, tags.and(MeterNames.VERDICT, "answer"), registry);
        count(reported, MeterNames.VERDICTS, verdicts, tags.and(MeterNames.VERDICT, "report"), registry);
        count(missed, MeterNames.POLICY_OUTAGES, "decisions by onOutage, nobody having answered", tags, registry);
        time = timed
                ? Latency.ANSWER
                        .timer(MeterNames.POLICY_DURATION, "time of policies that call out")
                        .tags(tags)
                        .register(registry)
                : null;
        if (time != null) all.add(time);
    }

    void took(long nanos) {
        if (time != null) time.record(nanos, TimeUnit.NANOSECONDS);
    }

    boolean isGone() {
        return gone;
    }

    void remove(MeterRegistry registry) {
        gone = true;
        all.forEach(registry::remove);
    }

    private void count(LongAdder value, String name, String description, Tags tags, MeterRegistry registry) {
        all.add(FunctionCounter.builder(name, value, LongAdder::sum)
                .description(description)
                .tags(tags)
                .register(registry));
    }
}
