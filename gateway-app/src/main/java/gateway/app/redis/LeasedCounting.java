package gateway.app.redis;

import gateway.app.redis.Lease.Spending;
import gateway.service.Charge;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The counters of which this node holds a part, bounded; those not used for a second are given back.
final class LeasedCounting {
    private static final long IDLE_NANOS = 1_000_000_000;

    private final ExactCounting counting;
    private final LongSupplier ticks;
    private final int most;
    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// @param ticks nanoseconds since any moment
    /// @param most leases at once; past it the shared count decides
    LeasedCounting(ExactCounting counting, LongSupplier ticks, int most) {
        this.counting = counting;
        this.ticks = ticks;
        this.most = most;
    }

    /// @return `null` when the shared count has to decide
    @Nullable
    Spending spend(Charge charge) {
        Lease lease = leases.get(charge.counter());
        if (lease != null && lease.covers(charge.rule())) return lease.spend(charge.amount());
        if (closed || leases.size() >= most) return null;
        return begun(charge).spend(charge.amount());
    }

    int size() {
        return leases.size();
    }

    /// Takes back what was not spent after all. The slice may have been replaced meanwhile, since it seemed spent: then
    /// what it holds goes back to Redis.
    void unspend(Charge charge, Spending spending) {
        Slice from = spending.from();
        if (from == null) return;
        from.untake(ticks.getAsLong(), spending.taken());
        Lease lease = leases.get(charge.counter());
        if (lease != null && lease.holds(from)) return;
        var _ = counting.giveBack(charge, from.drain(), ticks);
    }

    /// Requests of the counter at hand here, not counted as left in Redis.
    long left(Charge charge) {
        Lease lease = leases.get(charge.counter());
        return lease == null ? 0 : lease.left();
    }

    /// Gives back what nobody used lately.
    void sweep() {
        leases.values().removeIf(LeasedCounting::ended);
    }

    /// Gives back everything, what is still on its way too, and waits until Redis has it, or all patience and
    /// tries are spent. Leases no more.
    ///
    /// @return whether Redis has all of it
    boolean close() {
        closed = true;
        var given = new ArrayList<CompletableFuture<Boolean>>();
        for (var lease : leases.values()) given.addAll(lease.close());
        leases.clear();
        CompletableFuture.allOf(given.toArray(CompletableFuture[]::new)).join();
        return given.stream().allMatch(CompletableFuture::join);
    }

    private static boolean ended(Lease lease) {
        if (!lease.idleSince(IDLE_NANOS)) return false;
        lease.close();
        return true;
    }

    /// The numbers of a rule may change in a reload; its leases then begin anew.
    private Lease begun(Charge charge) {
        var fresh = new Lease(charge, counting, ticks);
        Lease former = leases.put(charge.counter(), fresh);
        if (former != null) former.close();
        return fresh;
    }
}
