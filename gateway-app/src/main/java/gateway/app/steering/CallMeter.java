package gateway.app.steering;

import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// What is counted of the calls to the servers under one name. Counting takes no meter's lock: what is new here is
/// registered when meters are read.
///
/// @param results of a fixed list: classes of statuses, such as `2xx`, and reasons, such as `timeout`
record CallMeter(String tag, Timer time, Map<String, LongAdder> results) {
    CallMeter(String tag, Timer time) {
        this(tag, time, new ConcurrentHashMap<>());
    }

    void took(String result, long nanos) {
        LongAdder count = results.get(result);
        if (count == null) count = results.computeIfAbsent(result, _ -> new LongAdder());
        count.increment();
        time.record(nanos, TimeUnit.NANOSECONDS);
    }
}
