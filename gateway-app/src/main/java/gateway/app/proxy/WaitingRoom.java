package gateway.app.proxy;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Requests that wait for a place. Those of proven connections ([gateway.wire.io.Newcomer]) go first, but for every
/// fourth place; among them, and among the others, clients have their turns one after the other, and so have the
/// connections of each: who has many requests waiting waits behind himself. All wait equally long at most, and who
/// leaves waits no longer. When nobody fits any more, one of the client with the most waiting makes room (longest queue
/// drop: Suter et al., Infocom 1998), of the others while they have more than a quarter of the room.
///
/// Without a lock, which IO threads and the requests they carry must not share: who comes while another is serving has
/// him look once more.
final class WaitingRoom {
    private static final long SHORTEST_SWEEP = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int PROVEN_IN_A_ROW = 3;

    private final int most;
    private final long patience;
    private final Places places;
    private final Queue<WaitingRequest> door = new ConcurrentLinkedQueue<>(); // who has yet to find his line
    private final Queue<WaitingRequest> leaving = new ConcurrentLinkedQueue<>();
    private final Queue<WaitingLine> proved = new ConcurrentLinkedQueue<>(); // whose connections are proven now
    private final AtomicInteger count = new AtomicInteger(); // at the door and in lines
    private final AtomicInteger calls = new AtomicInteger(); // of serve() that have not been heard
    private final WaitingTurns proven = new WaitingTurns(); // for whoever serves, as all that is not volatile
    private final WaitingTurns others = new WaitingTurns();
    private int provenInARow;
    private boolean watched;
    private volatile int provenShare; // of the room, for each client that waits
    private volatile int otherShare;
    private volatile int provenWaiting;
    private volatile @Nullable XnioIoThread sweeper; // whose timer says that somebody may have waited too long
    private volatile boolean clears;

    /// What is waited for.
    @FunctionalInterface
    interface Places {
        /// Takes one if there is one for a request of a connection that is `proven`, or of one that is not.
        boolean take(boolean proven);
    }

    WaitingRoom(WaitingLimits limits, Places places) {
        this.most = limits.most();
        this.patience = limits.patience().toNanos();
        this.places = places;
        this.provenShare = limits.most();
        this.otherShare = limits.most();
    }

    boolean isFull() {
        return count.get() >= most;
    }

    /// Whether no more of this client's may wait.
    ///
    /// @param provenOne of a connection that is proven
    boolean isFull(Client client, boolean provenOne) {
        return isFull() && client.turns(provenOne).count() >= (provenOne ? provenShare : otherShare);
    }

    int count() {
        return count.get();
    }

    /// The current thread joins the queue; it has yet to wait, and somebody to [#serve].
    ///
    /// @param provenOne of a connection that is proven
    /// @return null when there is no room
    @Nullable
    WaitingRequest join(XnioIoThread io, WaitingLine line, boolean provenOne) {
        if (most == 0 || isFull(line.client(), provenOne)) return null;
        count.incrementAndGet();
        var joined = new WaitingRequest(io, line, provenOne, System.nanoTime() + patience);
        door.add(joined);
        return joined;
    }

    /// Whether somebody waits who has a place before one that comes now.
    ///
    /// @param provenOne of a connection that is proven
    boolean somebodyGoesFirst(boolean provenOne) {
        return (provenOne ? provenWaiting : count.get()) > 0;
    }

    /// Requests that wait in `line` are those of a proven connection from now on.
    void proved(WaitingLine line) {
        proved.add(line);
        serve();
    }

    /// `request` is not to wait any longer; no change when it does not.
    void leave(WaitingRequest request) {
        request.isToLeave();
        leaving.add(request);
        serve();
    }

    /// Gives free places to those who wait. Whoever frees a place and whoever joins comes here afterwards, so that
    /// nobody waits beside a free place that it may have.
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
        lineUpAll();
        for (WaitingLine each = proved.poll(); each != null; each = proved.poll()) {
            lineUpAll(); // who came before it was proven
            prove(each);
        }
        for (WaitingRequest each = leaving.poll(); each != null; each = leaving.poll()) takeOut(each);
        if (clears) clearNow();
        XnioIoThread io = sweeper;
        if (io != null) sweep(io);
        admitAll();
        while (count.get() > most && somebodyWaits()) dropOne();
        shareOut();
    }

    private void lineUpAll() {
        for (WaitingRequest each = door.poll(); each != null; each = door.poll()) lineUp(each);
    }

    private void lineUp(WaitingRequest request) {
        if (request.isLeaving()) {
            count.decrementAndGet();
            request.turnAway();
            return;
        }
        if (request.isProven()) prove(request.line());
        request.line().join(request);
        turns(request).join(request, request.line().turns());
        if (!watched) watch(request.io(), patience);
    }

    /// Requests of it that waited already go first, too.
    private void prove(WaitingLine line) {
        if (!line.waits() || line.turns().areProven()) return;
        others.leave(line);
        line.prove();
        proven.enter(line);
    }

    private WaitingTurns turns(WaitingRequest request) {
        return request.line().turns().areProven() ? proven : others;
    }

    private void takeOut(WaitingRequest request) {
        if (!request.line().remove(request)) return; // it is settled, or still at the door
        turns(request).removed(request, request.line().turns());
        count.decrementAndGet();
        request.turnAway();
    }

    private void dropOne() {
        WaitingRequest dropped = (othersMakeRoom() ? others : proven).latestOfMost();
        count.decrementAndGet();
        dropped.turnAway();
    }

    /// A quarter of the room is left to them.
    private boolean othersMakeRoom() {
        return proven.isEmpty() || others.count() > most / 4;
    }

    private boolean somebodyWaits() {
        return !proven.isEmpty() || !others.isEmpty();
    }

    private void admitAll() {
        boolean admits = true;
        while (admits && somebodyWaits()) admits = admitOne();
    }

    /// Who is proven goes before his turn while all places that others may have are taken.
    private boolean admitOne() {
        boolean isProven = isTurnOfProven();
        if (!places.take(isProven)) {
            if (isProven || proven.isEmpty() || !places.take(true)) return false;
            isProven = true;
        }
        provenInARow = isProven ? Math.min(PROVEN_IN_A_ROW, provenInARow + 1) : 0;
        next(isProven).admit(isProven);
        return true;
    }

    private boolean isTurnOfProven() {
        return others.isEmpty() || (!proven.isEmpty() && provenInARow < PROVEN_IN_A_ROW);
    }

    private WaitingRequest next(boolean isProven) {
        count.decrementAndGet();
        return (isProven ? proven : others).next();
    }

    private void shareOut() {
        provenWaiting = proven.count();
        provenShare = othersMakeRoom() ? most : share(most - others.count(), proven);
        otherShare = share(Math.max(most / 4, most - proven.count()), others);
    }

    /// One at least, so that a client of whom nobody waits finds room at the expense of another.
    private static int share(int room, WaitingTurns turns) {
        return Math.max(1, room / Math.max(1, turns.clients()));
    }

    /// Nobody waits any longer.
    void clear() {
        clears = true;
        serve();
    }

    private void clearNow() {
        clears = false;
        while (somebodyWaits()) next(!proven.isEmpty()).turnAway();
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
        proven.expire(now, this::late);
        others.expire(now, this::late);
        if (somebodyWaits()) watch(io, Math.min(proven.left(now), others.left(now)));
    }

    private void late(WaitingRequest request) {
        count.decrementAndGet();
        request.turnAway();
    }
}
