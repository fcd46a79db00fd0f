package gateway.policies.standard;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/// Requests under way by caller. Holds none but callers that have some: what bounds the requests in flight bounds it.
/// Who waits is served in the order of coming: a slot that is given back goes to the first who waits and is never free
/// meanwhile, unless a changed definition allows fewer.
///
/// Without a lock, since IO threads give back what the requests that they carry have taken.
final class CallerSlots {
    private static final Turn[] NOBODY = {};
    private static final State NEW = new State(0, NOBODY);
    private static final State LEFT = new State(-1, NOBODY); // of a caller that is on its way out of the map

    private final ConcurrentSkipListMap<String, Caller> callers = new ConcurrentSkipListMap<>();
    private volatile int allowed = Integer.MAX_VALUE; // by the definition that the last request came under

    private static final class Caller {
        private final AtomicReference<State> state = new AtomicReference<>(NEW);

        State now() {
            return requireNonNull(state.get());
        }

        /// @return whether it was as `before` until now
        boolean change(State before, State after) {
            return state.compareAndSet(before, after);
        }
    }

    /// One caller's slots. Never changed.
    private static final class State {
        private final int taken;
        private final Turn[] waiting; // in the order of coming

        State(int taken, Turn[] waiting) {
            this.taken = taken;
            this.waiting = waiting;
        }

        State with(Turn turn) {
            Turn[] longer = Arrays.copyOf(waiting, waiting.length + 1);
            longer[waiting.length] = turn;
            return new State(taken, longer);
        }

        State without(int index) {
            var shorter = new Turn[waiting.length - 1];
            System.arraycopy(waiting, 0, shorter, 0, index);
            System.arraycopy(waiting, index + 1, shorter, index, shorter.length - index);
            return new State(taken, shorter);
        }

        State plus(int slots) {
            return new State(taken + slots, waiting);
        }
    }

    /// One request's wish for a slot.
    private static final class Turn {
        private final CountDownLatch granted = new CountDownLatch(1);
    }

    /// @param wait so long for one to be given back, if as many as `most` do not wait already
    /// @return whether there is one, which [#give] gives back
    boolean take(String name, int most, Duration wait) {
        if (allowed != most) allowed = most;
        while (true) {
            Caller caller = callers.computeIfAbsent(name, _ -> new Caller());
            State now = caller.now();
            if (now == LEFT) {
                callers.remove(name, caller); // whoever was to do it may come later
            } else if (now.taken < most && now.waiting.length == 0) {
                if (caller.change(now, now.plus(1))) return true;
            } else if (!wait.isPositive() || now.waiting.length >= most) {
                return false;
            } else {
                var turn = new Turn();
                if (caller.change(now, now.with(turn))) return awaited(turn, wait) || !left(caller, turn);
            }
        }
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
    private static boolean left(Caller caller, Turn turn) {
        while (true) {
            State now = caller.now();
            int index = Arrays.asList(now.waiting).indexOf(turn);
            if (index < 0) return false;
            if (caller.change(now, now.without(index))) return true;
        }
    }

    void give(String name) {
        Caller caller = requireNonNull(callers.get(name)); // there while a slot of it is taken
        while (true) {
            State now = caller.now();
            if (now.waiting.length > 0 && now.taken <= allowed) {
                if (!caller.change(now, now.without(0))) continue;
                now.waiting[0].granted.countDown();
                return;
            }
            if (!caller.change(now, now.taken == 1 ? LEFT : now.plus(-1))) continue;
            if (now.taken == 1) callers.remove(name, caller);
            return;
        }
    }

    /// Callers that have requests under way.
    int size() {
        return callers.size();
    }
}
