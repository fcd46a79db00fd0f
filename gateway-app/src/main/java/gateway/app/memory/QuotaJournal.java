package gateway.app.memory;

import gateway.service.DependencyException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The durable counters in the file `quotas.journal`: each [#flush] adds the absolute numbers of those that
/// changed since the last one. Called by one thread at a time.
final class QuotaJournal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QuotaJournal.class);
    private static final int SPARE_LINES = 10_000;

    private final Journal journal;
    private final CounterTable counters;
    private long lines;
    private boolean failing;

    private QuotaJournal(Journal journal, CounterTable counters, long lines) {
        this.journal = journal;
        this.counters = counters;
        this.lines = lines;
    }

    /// Restores the counters whose period is not over.
    ///
    /// @throws DataFolderException when the file is damaged or cannot be read
    static QuotaJournal open(Path folder, CounterTable counters, long now) {
        long[] lines = {0};
        var journal = Journal.open(folder.resolve("quotas.journal"), (offset, line) -> {
            var record = CounterRecord.parse(line);
            restore(record, counters, now);
            lines[0]++;
        });
        journal.begin(CounterRecord.NONE.line());
        return new QuotaJournal(journal, counters, lines[0]);
    }

    /// A counter's later lines stand for its earlier ones, so what is held meanwhile is never more than the table
    /// takes.
    private static void restore(CounterRecord record, CounterTable counters, long now) {
        if (record.end() > now) {
            counters.counter(record.counter(), now).restore(record);
            return;
        }
        Counter earlier = counters.find(record.counter());
        if (earlier != null) earlier.restore(record);
    }

    /// Writes the `changed` counters and waits for the disk. When that fails, they stay changed, and the next
    /// call tries again.
    void flush(Queue<Counter> changed, long now) {
        var written = new ArrayList<Counter>();
        var records = new ArrayList<String>();
        for (Counter counter = changed.poll(); counter != null; counter = changed.poll()) {
            written.add(counter);
            records.add(counter.written().line());
        }
        if (records.isEmpty()) return;
        try {
            journal.append(records);
            lines += records.size();
            if (failing) LOG.info("quota counts are written again");
            failing = false;
        } catch (DependencyException e) {
            for (Counter counter : written) counter.unwritten(changed);
            if (!failing) LOG.error("quota counts are not durable meanwhile: {}", e.getMessage(), e.getCause());
            failing = true;
            return;
        }
        if (lines > SPARE_LINES && lines > 4 * counters.size()) compact(now);
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }

    private void compact(long now) {
        var held = StreamSupport.stream(counters.all().spliterator(), false)
                .flatMap(counter -> counter.durableRecord(now).stream());
        List<String> records = Stream.concat(Stream.of(CounterRecord.NONE), held)
                .map(CounterRecord::line)
                .toList();
        try {
            journal.rewrite(records);
            lines = records.size();
        } catch (DependencyException e) {
            LOG.error("quota counts are written, but their journal cannot be made shorter: {}", e.getMessage());
        }
    }
}
