package gateway.policies.standard;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Requests under way by caller. Holds none but callers that have some: what bounds the requests in flight bounds it.
/// Who waits is served in the order of coming: a slot that is given back goes to the first who waits and is never free
/// meanwhile.
final class CallerSlots {
    private final ConcurrentHashMap<String, Caller> callers = new ConcurrentHashMap<>();

    /// Looked at and changed within `compute` of its entry alone.
    private static final class Caller {
        private final ArrayDeque<Turn> waiting = new ArrayDeque<>(1);
        private int taken;
    }

    /// One request's wish for a slot.
    private static final class Turn {
        private final CountDownLatch granted = new CountDownLatch(1);
        private boolean waits;

        boolean isGranted() {
            return granted.getCount() == 0;
        }
    }

    /// @param wait so long for one to be given back, if as many as `most` do not wait already
    /// @return whether there is one, which [#give] gives back
    boolean take(String name, int most, Duration wait) {
        var turn = new Turn();
        callers.compute(name, (_, known) -> {
            Caller caller = known == null ? new Caller() : known;
            if (caller.taken < most && caller.waiting.isEmpty()) {
                caller.taken++;
                turn.granted.countDown();
            } else if (wait.isPositive() && caller.waiting.size() < most) {
                caller.waiting.addLast(turn);
                turn.waits = true;
            }
            return caller;
        });
        if (!turn.waits) return turn.isGranted();
        return awaited(turn, wait) || !left(name, turn);
    }

    private static boolean awaited(Turn turn, Duration wait) {
        try {
            return turn.granted.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// It waits no longer.
    ///
    /// @return false when it has got its slot at the last moment
    private boolean left(String name, Turn turn) {
        callers.computeIfPresent(name, (_, caller) -> {
            caller.waiting.remove(turn);
            return caller;
        });
        return !turn.isGranted();
    }

    void give(String name) {
        callers.computeIfPresent(name, (_, caller) -> {
            Turn next = caller.waiting.pollFirst();
            if (next == null) caller.taken--;
            else next.granted.countDown();
            return caller.taken == 0 ? null : caller;
        });
    }

    /// Callers that have requests under way.
    int size() {
        return callers.size();
    }
}
