package gateway.app.proxy;

import static gateway.app.log.LogFields.about;
import static gateway.app.log.LogFields.after;

import gateway.app.log.Pace;
import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.pipeline.PipelineRun;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells operators why requests were refused: of failures of servers one line in ten seconds for each API and reason,
/// since clients can provoke as many as they like; of all the rest at debug level.
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final int FAILURE = 5; // of statuses, and of those that gRPC has

    private final Pace pace = new Pace(QUIET, System::nanoTime);

    /// @param upstream location of the target asked last; empty when none was
    void tell(Exchange exchange, String reason, Outcome outcome, PipelineRun pipelineRun, String upstream) {
        boolean failure = outcome.statusClass() == FAILURE;
        if (!failure && !LOG.isDebugEnabled()) return;
        long suppressed = failure ? pace.enter(exchange.api() + ' ' + reason) : 0;
        if (suppressed == Pace.SUPPRESSED) return;
        after(suppressed, about(failure ? LOG.atWarn() : LOG.atDebug(), exchange.requestId(), exchange.api()))
                .log(
                        "refused with {} {}{}{}{}",
                        outcome.status(),
                        reason,
                        text(" by ", pipelineRun.stoppedBy()),
                        text(", upstream ", upstream),
                        text(": ", message(pipelineRun.cause())));
    }

    private static String text(String before, @Nullable String text) {
        return text == null || text.isEmpty() ? "" : before + text;
    }

    private static @Nullable String message(@Nullable RuntimeException cause) {
        return cause == null ? null : cause.getMessage();
    }
}
