package gateway.app.redis;

import gateway.app.redis.Lease.Spending;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.LimitStore;
import gateway.service.Permit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Counters in Redis, shared by all nodes.
///
/// Leased charges are spent here first, then exact ones in Redis, with what a lease lacked of a charge for several;
/// when
/// any is refused, those spent are taken back.
final class RedisLimitStore implements LimitStore {
    private final ExactCounting exact;
    private final LeasedCounting leased;

    RedisLimitStore(ExactCounting exact, LeasedCounting leased) {
        this.exact = exact;
        this.leased = leased;
    }

    long leases() {
        return leased.size();
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public List<Permit> acquire(List<Charge> charges) {
        if (charges.isEmpty()) return List.of();
        return anyLeased(charges) ? acquireLeased(charges) : exact.decide(charges, true);
    }

    @Override
    public List<Permit> peek(List<Charge> charges) {
        if (charges.isEmpty()) return List.of();
        var permits = exact.decide(charges, false);
        return anyLeased(charges) ? withLeases(charges, permits) : permits;
    }

    /// Gives back leases that nobody uses.
    void refresh() {
        leased.sweep();
    }

    /// Gives back all leases.
    ///
    /// @return whether Redis has all of them
    boolean close() {
        return leased.close();
    }

    private List<Permit> acquireLeased(List<Charge> charges) {
        var spendings = new Spending[charges.size()];
        try {
            boolean granted = true;
            for (int i = 0; i < spendings.length; i++) {
                var charge = charges.get(i);
                if (charge.counting() != Counting.LEASED) continue;
                spendings[i] = leased.spend(charge);
                granted &= spendings[i] == null || spendings[i].from() != null;
            }
            var permits = withExact(charges, spendings, granted);
            for (var permit : permits) granted &= permit instanceof Permit.Granted;
            if (!granted) unspend(charges, spendings);
            return permits;
        } catch (DependencyException e) {
            unspend(charges, spendings);
            throw e;
        }
    }

    /// The leased permits, with those of the shared count in between; spent there only when the leased ones
    /// are `granted`.
    private List<Permit> withExact(List<Charge> charges, @Nullable Spending[] spendings, boolean granted) {
        var rests = new ArrayList<Charge>(0);
        for (int i = 0; i < spendings.length; i++) {
            Charge rest = rest(charges.get(i), spendings[i]);
            if (rest != null) rests.add(rest);
        }
        List<Permit> decided = rests.isEmpty() ? List.of() : exact.decide(rests, granted);
        var permits = new Permit[spendings.length];
        int next = 0;
        for (int i = 0; i < permits.length; i++) {
            Spending spending = spendings[i];
            Permit permit = spending == null ? null : spending.permit();
            permits[i] = permit != null
                    ? permit
                    : wouldHave(decided.get(next), rests.get(next++).amount(), granted);
        }
        return List.of(permits);
    }

    /// What the shared count is to decide of a charge; null for nothing.
    private static @Nullable Charge rest(Charge charge, @Nullable Spending spending) {
        if (spending == null) return charge;
        return spending.permit() == null ? charge.of(charge.amount() - spending.taken()) : null;
    }

    /// What looking tells as spending would have.
    private static Permit wouldHave(Permit permit, long amount, boolean spent) {
        if (spent || permit instanceof Permit.Denied) return permit;
        return new Permit.Granted(permit.limit(), permit.remaining() - amount, permit.resetNanos());
    }

    private void unspend(List<Charge> charges, @Nullable Spending[] spendings) {
        for (int i = 0; i < spendings.length; i++) {
            Spending spending = spendings[i];
            if (spending != null) leased.unspend(charges.get(i), spending);
        }
    }

    private List<Permit> withLeases(List<Charge> charges, List<Permit> permits) {
        var whole = new ArrayList<Permit>(permits.size());
        for (int i = 0; i < permits.size(); i++) {
            var permit = permits.get(i);
            long here = charges.get(i).counting() == Counting.LEASED ? leased.left(charges.get(i)) : 0;
            whole.add(
                    here == 0
                            ? permit
                            : new Permit.Granted(permit.limit(), permit.remaining() + here, permit.resetNanos()));
        }
        return List.copyOf(whole);
    }

    private static boolean anyLeased(List<Charge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            if (charges.get(i).counting() == Counting.LEASED) return true;
        }
        return false;
    }
}
