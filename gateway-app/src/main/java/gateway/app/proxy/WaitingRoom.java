package gateway.app.proxy;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Requests that wait for a place. Clients have their turns one after the other, and so have the connections of each:
/// who has many requests waiting waits behind himself. All wait equally long at most. When nobody fits any more, a
/// client with few waiting takes the room of the one with the most (longest queue drop: Suter et al., Infocom 1998).
///
/// Without a lock, which IO threads and the requests they carry must not share: who comes while another is serving has
/// him look once more.
final class WaitingRoom {
    private static final long SHORTEST_SWEEP = TimeUnit.MILLISECONDS.toNanos(5);

    private final int most;
    private final long patience;
    private final BooleanSupplier take;
    private final Queue<WaitingRequest> door = new ConcurrentLinkedQueue<>(); // who has yet to find his line
    private final AtomicInteger count = new AtomicInteger(); // at the door and in lines
    private final AtomicInteger calls = new AtomicInteger(); // of serve() that have not been heard
    private final ArrayDeque<Client> turns = new ArrayDeque<>(); // of clients that wait; for whoever serves
    private boolean watched; // for whoever serves
    private volatile int share; // of the room, for each client that waits
    private volatile @Nullable XnioIoThread sweeper; // whose timer says that somebody may have waited too long
    private volatile boolean clears;

    /// @param take takes a place if there is one
    WaitingRoom(WaitingLimits limits, BooleanSupplier take) {
        this.most = limits.most();
        this.patience = limits.patience().toNanos();
        this.take = take;
        this.share = limits.most();
    }

    boolean isFull() {
        return count.get() >= most;
    }

    /// Whether no more of this client's may wait.
    boolean isFull(Client client) {
        return isFull() && client.waiting() >= share;
    }

    int count() {
        return count.get();
    }

    /// The current thread joins the queue; it has yet to wait, and somebody to [#serve].
    ///
    /// @return null when there is no room
    @Nullable
    WaitingRequest join(XnioIoThread io, WaitingLine line) {
        if (most == 0 || isFull(line.client())) return null;
        count.incrementAndGet();
        var joined = new WaitingRequest(io, line, System.nanoTime() + patience);
        door.add(joined);
        return joined;
    }

    /// Gives free places to those who wait. Whoever frees a place and whoever joins comes here afterwards, so that
    /// nobody waits beside a free place.
    void serve() {
        if (calls.getAndIncrement() != 0) return;
        int heard = 1;
        try {
            while (heard != 0) {
                round();
                heard = calls.addAndGet(-heard);
            }
        } catch (RuntimeException e) { // an IO thread that has ended
            calls.set(0);
            throw e;
        }
    }

    private void round() {
        for (WaitingRequest each = door.poll(); each != null; each = door.poll()) lineUp(each);
        while (count.get() > most) dropOne();
        if (clears) clearNow();
        XnioIoThread io = sweeper;
        if (io != null) sweep(io);
        while (!turns.isEmpty() && take.getAsBoolean()) next().admit();
        share = most / Math.max(1, turns.size());
    }

    /// The latest of the client that has the most waiting; of several such, the one whose turn comes last.
    private void dropOne() {
        Client longest = turns.element();
        for (Client each : turns) if (each.waiting() >= longest.waiting()) longest = each;
        WaitingRequest dropped = longest.latest();
        if (!longest.waits()) turns.remove(longest);
        count.decrementAndGet();
        dropped.turnAway();
    }

    private void lineUp(WaitingRequest request) {
        Client client = request.line().client();
        if (client.join(request)) turns.add(client);
        if (!watched) watch(request.io(), patience);
    }

    private WaitingRequest next() {
        Client client = turns.remove();
        WaitingRequest next = client.next();
        if (client.waits()) turns.add(client);
        count.decrementAndGet();
        return next;
    }

    /// Nobody waits any longer.
    void clear() {
        clears = true;
        serve();
    }

    private void clearNow() {
        clears = false;
        while (!turns.isEmpty()) next().turnAway();
    }

    private void watch(XnioIoThread io, long nanos) {
        watched = true;
        long delay = TimeUnit.NANOSECONDS.toMillis(Math.max(nanos, SHORTEST_SWEEP)) + 1;
        io.executeAfter(
                () -> {
                    sweeper = io;
                    serve();
                },
                delay,
                TimeUnit.MILLISECONDS);
    }

    private void sweep(XnioIoThread io) {
        sweeper = null;
        watched = false;
        long now = System.nanoTime();
        long least = Long.MAX_VALUE;
        turns.removeIf(client -> {
            client.expire(now, this::late);
            return !client.waits();
        });
        for (Client client : turns) least = Math.min(least, client.left(now));
        if (!turns.isEmpty()) watch(io, least);
    }

    private void late(WaitingRequest request) {
        count.decrementAndGet();
        request.turnAway();
    }
}
