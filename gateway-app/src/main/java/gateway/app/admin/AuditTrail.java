package gateway.app.admin;

import gateway.service.AuditEntry;
import gateway.service.AuditLog;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the audit log of writes that are done, and never fails: an answer tells what became of the write, not of its
/// entry.
///
/// What the log does not take stands in the operator's log at once, whole, and waits here in order: it is written
/// before the next entry, before the log is read, and when the process ends. An entry stands twice when the log took it
/// and could not say so.
public final class AuditTrail implements AutoCloseable {
    private static final int MOST_WAITING = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);

    private final AuditLog log;
    private final ReentrantLock writing = new ReentrantLock();
    private final LinkedBlockingDeque<AuditEntry> waiting;
    private final LongAdder missed = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    public AuditTrail(AuditLog log) {
        this(log, MOST_WAITING);
    }

    AuditTrail(AuditLog log, int mostWaiting) {
        this.log = log;
        this.waiting = new LinkedBlockingDeque<>(mostWaiting);
    }

    void append(AuditEntry entry) {
        writing.lock();
        try {
            writeWaiting();
            log.append(entry);
        } catch (RuntimeException e) {
            keep(entry, e);
        } finally {
            writing.unlock();
        }
    }

    /// Newest first, after skipping `offset`.
    ///
    /// @throws gateway.service.DependencyException when the log cannot be read
    List<AuditEntry> latest(int offset, int limit) {
        tryWaiting();
        return log.latest(offset, limit);
    }

    /// Entries that the log did not take at once, since the start.
    public long missed() {
        return missed.sum();
    }

    /// Of these, those that no longer wait to be written, since too many did.
    public long dropped() {
        return dropped.sum();
    }

    /// Entries that wait to be written.
    public int waiting() {
        return waiting.size();
    }

    /// Tries a last time to write what waits.
    @Override
    public void close() {
        tryWaiting();
        if (waiting() > 0) LOG.error("{} entries were never written to the audit log", waiting());
    }

    private void tryWaiting() {
        writing.lock();
        try {
            writeWaiting();
        } catch (RuntimeException e) {
            LOG.debug("the audit log takes no entries still: {}", e.toString());
        } finally {
            writing.unlock();
        }
    }

    private void writeWaiting() {
        int written = 0;
        for (AuditEntry next = waiting.peekFirst(); next != null; next = waiting.peekFirst()) {
            log.append(next);
            waiting.removeFirst();
            written++;
        }
        if (written > 0) LOG.info("the audit log takes entries again; {} that waited were written", written);
    }

    private void keep(AuditEntry entry, RuntimeException failure) {
        missed.increment();
        while (!waiting.offerLast(entry)) {
            waiting.pollFirst();
            dropped.increment();
        }
        LOG.atError()
                .addKeyValue("event.action", entry.action())
                .addKeyValue("user.id", entry.token())
                .log(
                        "done, but not in the audit log yet: {} at {} by {}, revision {} to {}; {} entries wait: {}",
                        entry.action(),
                        entry.at(),
                        entry.token(),
                        entry.fromRevision(),
                        entry.toRevision(),
                        waiting(),
                        failure.toString());
    }
}
