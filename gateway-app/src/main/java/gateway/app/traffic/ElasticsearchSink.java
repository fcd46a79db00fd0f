package gateway.app.traffic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ships batches to Elasticsearch, several at once; what it does not take goes to disk and is replayed later.
///
/// Everything happens on the shipper's thread: answers arrive on the client's thread and are put into `mailbox`, so
/// nothing here is shared and nothing is locked.
final class ElasticsearchSink implements Sink {
    private static final Logger log = LoggerFactory.getLogger(ElasticsearchSink.class);
    private static final int FORBIDDEN = 403;

    private final BulkCalls calls;
    private final IndexTemplate template;
    private final int mostInFlight;
    private final Spill spill;
    private final Replay replay;
    private final Verdicts verdicts;
    private final Availability availability;
    private final SinkCounts tally;
    private final BatchPool pool;
    private final Runnable wake;
    private final Queue<Runnable> mailbox = new ConcurrentLinkedQueue<>();
    private final Set<Batch> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean templateWanted = true;
    private long damaged; // records on disk, as far as they are told
    private volatile long underWay;
    private volatile long spilled;
    private volatile long spillBytes;

    /// @param wake makes the shipper call [#turn] soon; from any thread
    ElasticsearchSink(
            BulkCalls calls,
            IndexTemplate template,
            int mostInFlight,
            Spill spill,
            Verdicts verdicts,
            Availability availability,
            SinkCounts tally,
            BatchPool pool,
            Runnable wake) {
        this.calls = calls;
        this.template = template;
        this.mostInFlight = mostInFlight;
        this.spill = spill;
        this.replay = new Replay(spill, pool, tally, Backoff.usual());
        this.verdicts = verdicts;
        this.availability = availability;
        this.tally = tally;
        this.pool = pool;
        this.wake = wake;
    }

    @Override
    public void open() {
        try {
            int segments = spill.recover();
            if (segments > 0) log.info("found {} segments of records on disk, to be replayed", segments);
            tally.addDropped(spill.evict());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        measure();
    }

    @Override
    public boolean take(Batch batch, boolean urgent, long nowNanos) {
        if (availability.isReady() && (!availability.isAway() || mayProbe(nowNanos))) {
            if (inFlight.size() < mostInFlight) {
                ship(batch);
                return true;
            }
            if (!urgent) return false;
        } else if (!urgent && !availability.isAway()) {
            return false; // the first answer about the template is still to come
        }
        spillOrDrop(batch, record -> true);
        pool.give(batch);
        measure();
        return true;
    }

    @Override
    public boolean turn(long nowNanos) {
        boolean worked = spill.countNext();
        for (Runnable answer = mailbox.poll(); answer != null; answer = mailbox.poll()) {
            answer.run();
            worked = true;
        }
        calls.tend();
        availability.askForHealth(nowNanos);
        if (availability.mayTry(nowNanos)) {
            if (!availability.isReady()) installTemplate();
            else if (!spill.isEmpty() && !replay.isOut()) replayNext(nowNanos);
        }
        measure();
        return worked;
    }

    @Override
    public long underWay() {
        return underWay;
    }

    @Override
    public long spilled() {
        return spilled;
    }

    @Override
    public long spillBytes() {
        return spillBytes;
    }

    @Override
    public TrafficState state() {
        return availability.state();
    }

    /// Batches without an answer go to disk; should Elasticsearch have them already, their ids tell at the replay.
    @Override
    public void close() {
        try {
            for (var batches = inFlight.iterator(); batches.hasNext(); ) {
                spillOrDrop(batches.next(), record -> true);
                batches.remove();
            }
        } finally {
            measure();
            closeQuietly();
        }
    }

    private void closeQuietly() {
        try (calls) {
            spill.close();
        } catch (IOException e) {
            log.warn("could not close the spill folder: {}", e.toString());
        }
    }

    /// With nothing on disk to try Elasticsearch with, nothing that can be read, or nothing but records that it may
    /// never take, a new batch does.
    private boolean mayProbe(long nowNanos) {
        return (spill.isEmpty() || replay.isStuck()) && inFlight.isEmpty() && availability.mayTry(nowNanos);
    }

    private void ship(Batch batch) {
        inFlight.add(batch);
        measure();
        send(batch, 0, batch.count(), reply -> settle(batch, reply));
    }

    /// A call that cannot even be made is one that failed.
    private void send(Batch batch, int from, int to, Consumer<ClusterReply> answer) {
        try {
            calls.send(batch, from, to, reply -> post(() -> answer.accept(reply)));
        } catch (RuntimeException | OutOfMemoryError e) {
            post(() -> answer.accept(new ClusterReply.Unreachable(e.toString())));
        }
    }

    private void post(Runnable answer) {
        mailbox.add(answer);
        wake.run();
    }

    /// Should it fail for want of memory, say, the batch is as one without an answer, and the next turn sees to it.
    private void settle(Batch batch, ClusterReply reply) {
        if (!inFlight.contains(batch)) return;
        try {
            settleOnce(batch, reply);
        } catch (RuntimeException | Error e) {
            mailbox.add(() -> settle(batch, new ClusterReply.Unreachable(e.toString())));
            throw e;
        }
        inFlight.remove(batch);
        pool.give(batch);
    }

    private void settleOnce(Batch batch, ClusterReply reply) {
        switch (verdicts.of(reply, batch.count())) {
            case Verdicts.Later later -> {
                availability.failed(later.reason());
                spillOrDrop(batch, record -> true);
            }
            case Verdicts.Items items -> {
                var counted = verdicts.settle(items.answer(), batch, 0, batch.count(), false);
                if (counted.isGood()) availability.worked();
                else availability.failed(counted.reason());
                if (!counted.later().isEmpty()) {
                    spillOrDrop(batch, record -> items.answer().item(record).mayWorkLater());
                }
                tally.addIndexed(counted.indexed());
                tally.addRejected(counted.rejected());
            }
        }
    }

    private void spillOrDrop(Batch batch, IntPredicate chosen) {
        try {
            spill.append(batch, chosen);
            tally.addDropped(spill.evict());
        } catch (IOException e) {
            int lost = 0;
            for (int i = 0; i < batch.count(); i++) if (chosen.test(i)) lost++;
            tally.addDropped(lost);
            availability.spillFailed(e.toString());
        }
    }

    private void installTemplate() {
        if (!templateWanted) return;
        templateWanted = false;
        try {
            template.install(reply -> post(() -> settleTemplate(reply)));
        } catch (RuntimeException | OutOfMemoryError e) {
            post(() -> settleTemplate(new ClusterReply.Unreachable(e.toString())));
        }
    }

    private void settleTemplate(ClusterReply reply) {
        templateWanted = true;
        switch (reply) {
            case ClusterReply.Answered answered when answered.status() < 300 -> availability.ready();
            case ClusterReply.Answered answered
            when answered.status() == FORBIDDEN -> {
                log.warn("may not install the index template, the one in place is used: {}", reply.text());
                availability.ready();
            }
            case ClusterReply.Answered answered -> availability.failed(reply.text());
            case ClusterReply.Unreachable unreachable -> availability.failed(reply.text());
        }
    }

    private void replayNext(long nowNanos) {
        if (!replay.begin(nowNanos)) return;
        send(replay.batch(), replay.from(), replay.to(), reply -> settleReplay(reply, nowNanos));
    }

    private void settleReplay(ClusterReply reply, long sentNanos) {
        try {
            settleReplayOnce(reply, sentNanos);
        } catch (RuntimeException | Error e) {
            if (replay.isOut()) replay.again();
            throw e;
        }
    }

    private void settleReplayOnce(ClusterReply reply, long sentNanos) {
        int sent = replay.to() - replay.from();
        switch (verdicts.of(reply, sent)) {
            case Verdicts.Later later -> {
                availability.failed(later.reason());
                replay.again();
            }
            case Verdicts.Items items
            when sent > 1 && items.answer().later() == sent -> {
                availability.failed(items.answer().laterReason());
                replay.again();
            }
            case Verdicts.Items items -> settleReplayed(items.answer(), sentNanos);
        }
    }

    /// One record alone says that Elasticsearch is away only if it has taken no other since the last one.
    private void settleReplayed(BulkAnswer answer, long sentNanos) {
        boolean givenUp = answer.later() > 0 && replay.isLastAttempt();
        var counted = verdicts.settle(answer, replay.batch(), replay.from(), replay.to(), givenUp);
        boolean straggling = replay.isStraggling();
        if (counted.isGood() && !givenUp) availability.worked();
        else if (!straggling && !replay.haveOthersBeenTaken()) availability.failed(counted.reason());
        replay.settled(counted.later(), counted.indexed(), sentNanos);
        tally.addIndexed(counted.indexed());
        tally.addRejected(counted.rejected());
        tally.addReplayed(counted.indexed() + counted.rejected());
    }

    private void measure() {
        long open = 0;
        for (Batch batch : inFlight) open += batch.count();
        underWay = open;
        tally.recovered(spill.recovered());
        tally.addDropped(spill.damaged() - damaged);
        damaged = spill.damaged();
        spilled = spill.records() - replay.settledRecords();
        spillBytes = spill.bytes();
    }
}
