package gateway.app.metrics;

import gateway.app.metrics.StatsdReceiver.Dialect;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Meters as lines of StatsD: a counter by what it grew, a gauge as it stands, a time by the growth of its count, its
/// sum in milliseconds and its buckets. For one thread.
final class StatsdLines {
    private static final Pattern RESERVED = Pattern.compile("[:|@#,\\s]");
    private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9_-]");

    private final Dialect dialect;
    private final Map<String, Double> before = new HashMap<>();
    private final Set<String> seen = new HashSet<>();

    StatsdLines(Dialect dialect) {
        this.dialect = dialect;
    }

    /// Forgets meters that were not asked for since the last call: APIs come and go, and one that comes back counts
    /// from 0. To be called once all that there are were.
    void forgetGone() {
        before.keySet().retainAll(seen);
        seen.clear();
    }

    /// How many series are remembered.
    int remembered() {
        return before.size();
    }

    /// The lines of `meter`; none when nothing was counted since the last time.
    List<String> of(Meter meter) {
        var lines = new ArrayList<String>();
        Meter.Id id = meter.getId();
        meter.use(
                gauge -> gauge(lines, id, gauge.value()),
                counter -> grown(lines, id, "", counter.count()),
                timer -> histogram(lines, id, timer.takeSnapshot(), true),
                summary -> histogram(lines, id, summary.takeSnapshot(), false),
                active -> gauge(lines, id, (double) active.activeTasks()),
                gauge -> gauge(lines, id, gauge.value(TimeUnit.MILLISECONDS)),
                counter -> grown(lines, id, "", counter.count()),
                timer -> {
                    grown(lines, id, ".count", timer.count());
                    grown(lines, id, ".sum", timer.totalTime(TimeUnit.MILLISECONDS));
                },
                other -> {});
        return lines;
    }

    private void histogram(List<String> lines, Meter.Id id, HistogramSnapshot snapshot, boolean time) {
        grown(lines, id, ".count", (double) snapshot.count());
        grown(lines, id, ".sum", time ? snapshot.total(TimeUnit.MILLISECONDS) : snapshot.total());
        for (CountAtBucket bucket : snapshot.histogramCounts()) {
            double bound = time ? bucket.bucket(TimeUnit.SECONDS) : bucket.bucket();
            if (Double.isInfinite(bound) || bound > Integer.MAX_VALUE) continue; // the count tells it
            grown(lines, id.withTag(Tag.of("le", text(bound))), ".bucket", bucket.count());
        }
    }

    private void gauge(List<String> lines, Meter.Id id, double value) {
        if (Double.isFinite(value) && value >= 0) lines.add(line(id, "", value, "g")); // a sign would mean a change
    }

    private void grown(List<String> lines, Meter.Id id, String part, double value) {
        if (!Double.isFinite(value)) return;
        String key = line(id, part, 0, "c");
        double growth = value - before.getOrDefault(key, 0.0);
        before.put(key, value);
        seen.add(key);
        if (growth > 0) lines.add(line(id, part, growth, "c"));
    }

    private String line(Meter.Id id, String part, double value, String type) {
        var line = new StringBuilder(id.getName()).append(part);
        switch (dialect) {
            case DATADOG -> {
                line.append(':').append(text(value)).append('|').append(type);
                char before = '#';
                for (Tag tag : id.getTagsAsIterable()) {
                    line.append(before == '#' ? "|#" : ",").append(tag.getKey()).append(':');
                    line.append(RESERVED.matcher(tag.getValue()).replaceAll("_"));
                    before = ',';
                }
            }
            case ETSY -> {
                for (Tag tag : id.getTagsAsIterable()) {
                    line.append('.').append(tag.getKey()).append('.');
                    line.append(NO_NAME.matcher(tag.getValue()).replaceAll("_"));
                }
                line.append(':').append(text(value)).append('|').append(type);
            }
        }
        return line.toString();
    }

    private static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
