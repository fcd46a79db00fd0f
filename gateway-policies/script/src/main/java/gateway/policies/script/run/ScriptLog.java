package gateway.policies.script.run;

import gateway.json.TextCut;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What one script says to operators, and what is said of its failures: of each a line a second, and how many were held
/// back since the last.
public final class ScriptLog {
    private static final Logger LOG = LoggerFactory.getLogger("gateway.policies.script");
    private static final long QUIET_MILLIS = 1_000;
    private static final int LONGEST = 1_000;

    private final String place;
    private final Lines own;
    private final Lines failures; // which a script that says much does not hide

    /// @param place of the policy, such as `orders/script`
    public ScriptLog(String place, InstantSource clock) {
        this.place = place;
        this.own = new Lines(clock);
        this.failures = new Lines(clock);
    }

    /// What the script says by `log`.
    void say(String text) {
        if (own.pass()) LOG.info("{}: {}{}", place, TextCut.told(text, LONGEST), own.more());
    }

    /// What a run has used up.
    public void stopped(StopReason reason) {
        if (failures.pass()) LOG.warn("{}: a script came to no end ({}){}", place, reason, failures.more());
    }

    /// What a run threw that nothing in it caught.
    public void threw(ScriptFailedException failure) {
        if (!failures.pass()) return;
        String why = TextCut.told(String.valueOf(failure.getMessage()), LONGEST);
        LOG.warn("{}: a script threw an error{}: {}{}", place, failure.place(), why, failures.more());
    }

    private static final class Lines {
        private final InstantSource clock;
        private final AtomicLong next = new AtomicLong(); // when a line may pass
        private final AtomicLong heldBack = new AtomicLong();

        Lines(InstantSource clock) {
            this.clock = clock;
        }

        boolean pass() {
            long now = clock.millis();
            long due = next.get();
            if (now >= due && next.compareAndSet(due, now + QUIET_MILLIS)) return true;
            heldBack.incrementAndGet();
            return false;
        }

        String more() {
            long held = heldBack.getAndSet(0);
            return held == 0 ? "" : " (and " + held + " more lines)";
        }
    }
}
