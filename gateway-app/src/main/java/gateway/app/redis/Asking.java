package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.Permit;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The charges of one subject, asked for in one call.
///
/// What Redis grants when nobody waits for it any more is given back: after the deadline, or once the
/// request was [#abandon]ed.
final class Asking implements RedisLink.Follower {
    private static final int NUMBERS = 5; // a permit's part of an answer

    private final ExactCounting counting;
    private final List<Charge> charges;
    private final boolean spend;
    private final ScriptReply.Numbers reply = new ScriptReply.Numbers();
    private final AtomicBoolean oneOfTwo = new AtomicBoolean(); // it ended, it was abandoned
    private @Nullable Call call; // of the asking thread

    Asking(ExactCounting counting, List<Charge> charges, boolean spend) {
        this.counting = counting;
        this.charges = charges;
        this.spend = spend;
    }

    List<Charge> charges() {
        return charges;
    }

    ScriptReply.Numbers reply() {
        return reply;
    }

    /// The call under way, told by whoever began it.
    Asking with(Call begun) {
        this.call = begun;
        return this;
    }

    Call call() {
        if (call == null) throw new IllegalStateException("not asked yet");
        return call;
    }

    /// Whether the answer is one, not the time alone (see `acquire.lua`).
    boolean decided() {
        return reply.size() >= NUMBERS;
    }

    /// @return whether all were granted
    boolean granted() {
        for (int i = 0; i < charges.size(); i++) {
            if (reply.at(i * NUMBERS) != 1) return false;
        }
        return true;
    }

    List<Permit> permits() {
        Permit[] permits = new Permit[charges.size()];
        for (int i = 0; i < permits.length; i++) {
            int at = i * NUMBERS;
            long limit = Counters.limit(charges.get(i).rule());
            long reset = reply.at(at + 2) * 1_000;
            permits[i] = reply.at(at) == 1
                    ? new Permit.Granted(limit, reply.at(at + 1), reset)
                    : new Permit.Denied(limit, reply.at(at + 1), reset, reply.at(at + 3) * 1_000);
        }
        return List.of(permits);
    }

    /// Gives back what was granted, which has been answered.
    void giveBack() {
        if (!spend || !decided() || !granted()) return;
        for (int i = 0; i < charges.size(); i++)
            counting.giveBack(charges.get(i), Long.toString(reply.at(i * NUMBERS + 4)));
    }

    /// Nobody waits for the answer any more.
    void abandon() {
        if (oneOfTwo.getAndSet(true)) giveBackIfAnswered(call());
    }

    @Override
    public void ended(Call ended) {
        if (oneOfTwo.getAndSet(true)) giveBackIfAnswered(ended);
    }

    @Override
    public void settled(Call late, boolean answered) {
        if (answered && late.error() == null) giveBack();
    }

    private void giveBackIfAnswered(Call ended) {
        if (ended.end() == Call.End.ANSWERED && ended.error() == null) giveBack();
    }
}
