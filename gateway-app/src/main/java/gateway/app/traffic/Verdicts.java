package gateway.app.traffic;

import gateway.json.InvalidConfigException;
import java.io.IOException;
import java.util.Collections;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What an answer means for the records sent, and the parking of those that Elasticsearch will never take.
final class Verdicts {
    private static final Logger log = LoggerFactory.getLogger(Verdicts.class);

    /// Refusals of a whole request that sending it again cannot mend. Any other status may pass: credentials, proxies,
    /// full disks and overload are mended elsewhere.
    private static final Set<Integer> HOPELESS = Set.of(400, 406, 411, 413, 415, 422);

    private final DeadLetters deadLetters;

    Verdicts(DeadLetters deadLetters) {
        this.deadLetters = deadLetters;
    }

    sealed interface Verdict {}

    /// Nothing is known of any record.
    record Later(String reason) implements Verdict {}

    record Items(BulkAnswer answer) implements Verdict {}

    /// @param reason why some are to be sent later
    record Counted(int indexed, int rejected, int later, String reason) {}

    /// @param count records sent
    Verdict of(Reply reply, int count) {
        return switch (reply) {
            case Reply.Unreachable unreachable -> new Later(unreachable.reason());
            case Reply.Answered answered when answered.status() == 200 -> items(answered, count);
            case Reply.Answered answered
            when HOPELESS.contains(answered.status()) ->
                new Items(new BulkAnswer(Collections.nCopies(
                        count, new BulkAnswer.Item(answered.status(), "request_refused", reply.text()))));
            case Reply.Answered answered -> new Later(reply.text());
        };
    }

    /// Parks what was rejected among the records sent, and counts.
    Counted settle(BulkAnswer answer, Batch batch, int from, int to) {
        int indexed = 0;
        int rejected = 0;
        for (int i = from; i < to; i++) {
            BulkAnswer.Item item = answer.item(i - from);
            if (item.isIndexed()) {
                indexed++;
            } else if (!item.mayWorkLater()) {
                deadLetters.add(batch, i, item);
                rejected++;
            }
        }
        if (rejected > 0) park(rejected);
        return new Counted(indexed, rejected, to - from - indexed - rejected, answer.laterReason());
    }

    private void park(int rejected) {
        try {
            deadLetters.park();
            log.warn("Elasticsearch rejected {} records; they are in {} with the reason", rejected, deadLetters);
        } catch (IOException e) {
            log.warn("Elasticsearch rejected {} records, and they could not be parked: {}", rejected, e.toString());
        }
    }

    private static Verdict items(Reply.Answered answered, int count) {
        try {
            BulkAnswer answer = BulkAnswer.read(answered.body());
            return answer.covers(count) ? new Items(answer) : new Later("an answer about other records");
        } catch (InvalidConfigException e) {
            return new Later("an answer that is not JSON: " + e.getMessage());
        }
    }
}
