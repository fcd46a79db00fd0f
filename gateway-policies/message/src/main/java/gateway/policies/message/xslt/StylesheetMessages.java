package gateway.policies.message.xslt;

import gateway.json.TextCut;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the messages of one stylesheet (`xsl:message`) say goes to the operator's log, one a second, since clients can
/// provoke them.
final class StylesheetMessages {
    private static final Logger LOG = LoggerFactory.getLogger(Xslt.class);
    private static final long APART = 1_000; // milliseconds
    static final int LONGEST = 500;

    private final String step;
    private final InstantSource clock;
    private final AtomicLong next = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong left = new AtomicLong();

    /// @param step of which API
    StylesheetMessages(String step, InstantSource clock) {
        this.step = step;
        this.clock = clock;
    }

    void say(String text) {
        long now = clock.millis();
        long due = next.get();
        if (now < due || !next.compareAndSet(due, now + APART)) {
            left.incrementAndGet();
            return;
        }
        LOG.atInfo()
                .addKeyValue("suppressed", left.getAndSet(0))
                .log("stylesheet of {} says: {}", step, TextCut.told(text, LONGEST));
    }

    /// Why a transformation has failed.
    void failed(String why) {
        say("it failed: " + why);
    }
}
