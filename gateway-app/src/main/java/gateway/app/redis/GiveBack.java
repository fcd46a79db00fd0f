package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.DependencyException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Requests that were taken from a counter and not spent, on their way back.
///
/// Tried again a few times while Redis surely did not take them: it was not asked, or refused. One that
/// Redis may have got is not, for given back twice they would let too many pass; it is counted as lost
/// unless the answer comes after all.
final class GiveBack implements RedisLink.Follower {
    private static final Script GIVE_BACK = Script.of("limit-rules", "giveback");
    private static final int MOST_TRIES = 6;
    private static final long FIRST_PAUSE_MILLIS = 50; // doubled each time: a second and a half in all

    private final RedisLink link;
    private final Counters counters;
    private final Charge charge;
    private final LongSupplier left;
    private final String mark;
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private int tries; // these two change between two calls only
    private long amount;

    private GiveBack(RedisLink link, Counters counters, Charge charge, LongSupplier left, String mark) {
        this.link = link;
        this.counters = counters;
        this.charge = charge;
        this.left = left;
        this.mark = mark;
    }

    /// @param left how many, asked before each attempt since a bucket's run out
    /// @param mark the window they were taken in, or a bucket's token's own time, as the scripts told it;
    ///     empty for tokens that `left` counts until then
    /// @return whether Redis has them, once that is known, they are given up, or nobody waits for it any longer
    static CompletableFuture<Boolean> begin(
            RedisLink link, Counters counters, Charge charge, LongSupplier left, String mark) {
        var back = new GiveBack(link, counters, charge, left, mark);
        back.attempt();
        return back.done;
    }

    private void attempt() {
        amount = left.getAsLong();
        if (amount == 0) {
            done.complete(true);
            return;
        }
        var arguments = Arguments.keys(counters.key(charge));
        counters.addTime(arguments);
        arguments.add(amount);
        counters.addRule(arguments, charge.rule());
        try {
            link.beginPatiently(GIVE_BACK, arguments.add(mark), new ScriptReply.Numbers(), this);
        } catch (DependencyException e) {
            again();
        }
    }

    @Override
    public void ended(Call call) {
        if (call.end() == Call.End.ANSWERED && call.error() == null) {
            done.complete(true);
        } else if (call.end().isLate()) {
            done.complete(false); // whoever waits has waited enough; see settled
        } else if (call.inDoubt()) {
            lose();
        } else {
            again();
        }
    }

    @Override
    public void settled(Call call, boolean answered) {
        if (!answered) lose();
        else if (call.error() != null) again();
    }

    private void again() {
        if (++tries == MOST_TRIES) {
            lose();
            return;
        }
        long pause = FIRST_PAUSE_MILLIS << (tries - 1);
        CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(this::attempt);
    }

    private void lose() {
        link.lost(amount);
        done.complete(false);
    }
}
