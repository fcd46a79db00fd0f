package gateway.policies.script.run;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What one script says to operators: a line a second, and how many were held back since the last.
public final class ScriptLog {
    private static final Logger LOG = LoggerFactory.getLogger("gateway.policies.script");
    private static final long QUIET_MILLIS = 1_000;
    private static final int LONGEST = 1_000;

    private final String place;
    private final InstantSource clock;
    private final AtomicLong next = new AtomicLong(); // when a line may pass
    private final AtomicLong heldBack = new AtomicLong();

    /// @param place of the policy, such as `orders/script`
    public ScriptLog(String place, InstantSource clock) {
        this.place = place;
        this.clock = clock;
    }

    /// What the script says by `log`.
    void say(String text) {
        if (passes()) LOG.info("{}: {}{}", place, cut(text), more());
    }

    /// Why a run came to no end of its own.
    public void failed(StopReason reason, String why) {
        if (passes()) LOG.warn("{}: a script came to no end ({}) {}{}", place, reason, cut(why), more());
    }

    private boolean passes() {
        long now = clock.millis();
        long due = next.get();
        if (now >= due && next.compareAndSet(due, now + QUIET_MILLIS)) return true;
        heldBack.incrementAndGet();
        return false;
    }

    private String more() {
        long held = heldBack.getAndSet(0);
        return held == 0 ? "" : " (and " + held + " more lines)";
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + '…' : text;
    }
}
