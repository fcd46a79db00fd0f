package gateway.app.server;

import gateway.http.Problem;
import gateway.http.Response;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Bounds the requests in flight and those that wait for a place among them, and tells when the last one has left.
final class Admission {
    private final int most;
    private final WaitingRoom room;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private volatile boolean draining;
    private volatile boolean over;

    Admission(int most, WaitingLimits waiting) {
        this.most = most;
        this.room = new WaitingRoom(waiting);
    }

    /// Whether there is neither a place nor room to wait for one. Another request may be quicker: [#enter] decides.
    boolean isFull() {
        return room.isFull() && inFlight.get() >= most;
    }

    /// Takes a place, which [#leave] gives back. The request thread waits while others have them all.
    ///
    /// @param io the IO thread of the request's connection
    /// @param client watched while it waits
    /// @return false when there was none, and no room or no time to wait
    boolean enter(XnioIoThread io, Watched client) {
        if (room.count() == 0 && take()) return true;
        WaitingRequest waiting = room.join(io);
        if (waiting != null) {
            admit();
            io.execute(client::watch);
            if (waiting.await()) return true;
            if (over) return false; // told something else
        }
        refuse();
        return false;
    }

    /// Counts a request that is told that it was refused.
    void refuse() {
        refused.increment();
    }

    /// What a request is told that found no place.
    static Response refusal(String requestId) {
        return Problem.of("overloaded", 503, "Service unavailable", "Too many requests are in flight")
                .toResponse(requestId)
                .with("Retry-After", "1");
    }

    void leave() {
        inFlight.decrementAndGet();
        if (room.count() > 0) admit();
    }

    /// Gives free places to those who wait. Whoever frees a place and whoever joins the queue comes here afterwards, so
    /// that nobody waits beside a free place.
    private void admit() {
        while (!room.isEmpty() && take()) {
            @Nullable WaitingRequest next = room.next();
            if (next != null) next.admit();
            else inFlight.decrementAndGet();
        }
    }

    private boolean take() {
        int taken = inFlight.get();
        while (taken < most) {
            int seen = inFlight.compareAndExchange(taken, taken + 1);
            if (seen == taken) return true;
            taken = seen;
        }
        return false;
    }

    /// From now on every answer is the last one of its connection.
    void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    /// The time for draining is over: no walk begins any more, who waits for a place is refused, and what has no answer
    /// yet is told that the gateway stops.
    void turnAway() {
        over = true;
        room.clear();
    }

    boolean isOver() {
        return over;
    }

    /// What a request is told that the gateway waits for no longer.
    static Response stopping(String requestId) {
        return Problem.of("draining", 503, "Service unavailable", "The gateway is stopping")
                .toResponse(requestId)
                .with("Retry-After", "1");
    }

    /// Whether no request is in flight, and none waits.
    boolean isIdle() {
        return room.count() == 0 && inFlight.get() == 0;
    }

    int inFlight() {
        return inFlight.get();
    }

    int waiting() {
        return room.count();
    }

    long refused() {
        return refused.sum();
    }
}
