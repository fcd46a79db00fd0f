package gateway.app.traffic;

import gateway.json.InvalidConfigException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What an answer means for the records sent, and the parking of those that Elasticsearch will never take.
final class Verdicts {
    private static final Logger log = LoggerFactory.getLogger(Verdicts.class);
    private static final long QUIET = Duration.ofMinutes(1).toNanos();

    /// Refusals of a whole request that sending it again cannot mend. Any other status may pass: credentials, proxies,
    /// full disks and overload are mended elsewhere.
    private static final Set<Integer> HOPELESS = Set.of(400, 406, 411, 413, 415, 422);

    private final DeadLetters deadLetters;
    private final LongSupplier nanos;
    private boolean told;
    private long toldAt;
    private long untold;

    /// @param nanos the clock by which rejections are told once a minute
    Verdicts(DeadLetters deadLetters, LongSupplier nanos) {
        this.deadLetters = deadLetters;
        this.nanos = nanos;
    }

    sealed interface Verdict {}

    /// Nothing is known of any record.
    record Later(String reason) implements Verdict {}

    record Items(BulkAnswer answer) implements Verdict {}

    /// @param later the records to be sent later, by their numbers in the batch
    /// @param reason why
    record Counted(int indexed, int rejected, List<Integer> later, String reason) {
        Counted {
            later = List.copyOf(later);
        }

        /// Whether this says that Elasticsearch takes records.
        boolean isGood() {
            return later.isEmpty() || indexed > 0;
        }
    }

    /// @param count records sent
    Verdict of(ClusterReply reply, int count) {
        return switch (reply) {
            case ClusterReply.Unreachable unreachable -> new Later(unreachable.reason());
            case ClusterReply.Answered answered when answered.status() == 200 -> items(answered, count);
            case ClusterReply.Answered answered
            when HOPELESS.contains(answered.status()) ->
                new Items(new BulkAnswer(Collections.nCopies(
                        count, new BulkAnswer.Item(answered.status(), "request_refused", reply.text()))));
            case ClusterReply.Answered answered -> new Later(reply.text());
        };
    }

    /// Parks what was rejected among the records sent, and counts.
    ///
    /// @param givenUp whether what may be taken later is parked too
    Counted settle(BulkAnswer answer, Batch batch, int from, int to, boolean givenUp) {
        int indexed = 0;
        int rejected = 0;
        var later = new ArrayList<Integer>();
        for (int i = from; i < to; i++) {
            BulkAnswer.Item item = answer.item(i - from);
            if (item.isIndexed()) {
                indexed++;
            } else if (item.mayWorkLater() && !givenUp) {
                later.add(i);
            } else {
                deadLetters.add(batch, i, item);
                rejected++;
            }
        }
        if (rejected > 0) park(rejected);
        return new Counted(indexed, rejected, later, answer.laterReason());
    }

    private void park(int rejected) {
        String where = "they are in " + deadLetters + " with the reason";
        try {
            deadLetters.park();
        } catch (IOException e) {
            where = "and they could not be parked: " + e;
        }
        untold += rejected;
        long now = nanos.getAsLong();
        if (told && now - toldAt < QUIET) return;
        log.warn("Elasticsearch rejected {} records, {}; said once a minute at most", untold, where);
        told = true;
        toldAt = now;
        untold = 0;
    }

    private static Verdict items(ClusterReply.Answered answered, int count) {
        try {
            BulkAnswer answer = BulkAnswer.read(answered.body());
            return answer.covers(count) ? new Items(answer) : new Later("an answer about other records");
        } catch (InvalidConfigException e) {
            return new Later("an answer that is not JSON: " + e.getMessage());
        }
    }
}
