package gateway.app.proxy;

import gateway.http.Problem;
import gateway.http.Response;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.xnio.XnioIoThread;

/// Bounds the requests in flight and those that wait for a place among them, and tells when the last one has left. A
/// request for which neither the gateway nor the upstream works, since only its client is awaited, is away: it has no
/// place, and takes one again without waiting.
final class Admission {
    /// As what a request is in flight.
    enum Entry {
        NONE(0),
        AS_NEWCOMER(1 | ONE_NEWCOMER),
        AS_PROVEN(1);

        private final long taken; // of what is counted in one number

        Entry(long taken) {
            this.taken = taken;
        }
    }

    private static final int BITS = 21; // twice of what settings allow, and three counts fit a number
    private static final long MASK = (1L << BITS) - 1;
    private static final long ONE_NEWCOMER = 1L << BITS;
    private static final int AWAY_SHIFT = 2 * BITS;
    private static final long ONE_AWAY = 1L << AWAY_SHIFT;
    private static final int KEPT_PART = 4; // one of so many places is for proven connections alone

    private final int most;
    private final int mostNewcomers;
    private final int mostAway;
    private final Clients clients;
    private final WaitingRoom room;
    private final AtomicLong requests = new AtomicLong(); // in flight, newcomers' among them, and away
    private final AtomicInteger connectedAway = new AtomicInteger(); // those away that hold a connection to an upstream
    private final LongAdder refused = new LongAdder();
    private final LongAdder refusedOfClients = new LongAdder();
    private volatile boolean draining;
    private volatile boolean over;

    /// @param most requests in flight
    /// @param mostAway requests that are away and hold a connection to an upstream
    Admission(int most, int mostAway, WaitingLimits waiting, Clients clients) {
        this.most = most;
        this.mostNewcomers = most - most / KEPT_PART;
        this.mostAway = mostAway;
        this.clients = clients;
        this.room = new WaitingRoom(waiting, proven -> take(entry(proven)));
    }

    /// Whether there is neither a place nor room to wait for one, as far as it is known whose request it is. Another
    /// one may be quicker: [#enter] decides.
    boolean isFull(ClientConnection connection) {
        if (!room.isFull() || mayTake(requests.get(), entry(connection.isProven()))) return false;
        WaitingLine line = connection.line(clients);
        return !line.isProxys() && room.isFull(line.client(), connection.isProven());
    }

    /// The place that a request may take. On the IO thread.
    Place place(ClientConnection connection, ClientRequest request) {
        return new Place(this, clients.line(connection, request), connection);
    }

    /// Takes a place, which [#leave] gives back. The request thread waits while others have them all.
    ///
    /// @param io the IO thread of the request's connection
    /// @param line where it waits
    /// @param proven whether that connection is ([gateway.wire.io.Newcomer])
    /// @param waiter who is told when it has to wait
    /// @return NONE when its client has as many requests as it may, there was no place, and no room or no
    /// time to wait for one, or it was told to [#leaveRoom]
    Entry enter(XnioIoThread io, WaitingLine line, boolean proven, WaitingRequest.Waiter waiter) {
        if (over) return Entry.NONE;
        if (proven) proved(line);
        if (!line.client().begin()) {
            refusedOfClients.increment();
            return Entry.NONE;
        }
        if (!room.somebodyGoesFirst(proven) && take(entry(proven))) return entry(proven);
        WaitingRequest waiting = room.join(io, line, proven);
        if (waiting != null) {
            waiter.waits(waiting);
            room.serve();
            if (waiting.await()) return entry(waiting.isProven());
        }
        line.client().end();
        if (!over && (waiting == null || !waiting.isLeaving())) refuse(); // else told something else
        return Entry.NONE;
    }

    /// The connection of `line` is proven: those that wait in it are, too.
    void proved(WaitingLine line) {
        if (room.count() > 0) room.proved(line);
    }

    /// A request is not to wait any longer; no change when it has a place.
    void leaveRoom(WaitingRequest request) {
        room.leave(request);
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

    /// A request in flight is over.
    void leave(WaitingLine line, Entry entry) {
        line.client().end();
        give(-entry.taken);
    }

    /// A request that is away is over.
    void leaveAway(WaitingLine line, boolean connected) {
        if (connected) disconnected(line);
        line.client().end();
        requests.addAndGet(-ONE_AWAY);
    }

    /// Whether one more request that holds a connection to an upstream may be away. Approximate: others may be quicker.
    boolean mayBeAway() {
        return connectedAway.get() < mostAway;
    }

    /// Whether a client has more such requests away than half of what is left, and more than one: so there is always
    /// room for who has none (dynamic thresholds: Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), of
    /// 1998).
    ///
    /// @param more that it has besides
    boolean hasTooManyAway(WaitingLine line, int more) {
        return !line.isProxys() && line.client().away() + more > Math.max(1, (mostAway - connectedAway.get()) / 2);
    }

    /// Of a request in flight only the client is awaited.
    ///
    /// @param connected whether it holds a connection to an upstream meanwhile, or may make one later
    void away(WaitingLine line, Entry entry, boolean connected) {
        if (connected) {
            connectedAway.incrementAndGet();
            line.client().goesAway();
        }
        give(ONE_AWAY - entry.taken);
    }

    /// A request that was away is in flight again, be it one too many.
    void back(WaitingLine line, Entry entry, boolean connected) {
        if (connected) disconnected(line);
        requests.addAndGet(entry.taken - ONE_AWAY);
    }

    /// A request that is away holds no connection any more.
    void disconnected(WaitingLine line) {
        connectedAway.decrementAndGet();
        line.client().comesBack();
    }

    private void give(long change) {
        requests.addAndGet(change);
        if (room.count() > 0) room.serve();
    }

    private static Entry entry(boolean proven) {
        return proven ? Entry.AS_PROVEN : Entry.AS_NEWCOMER;
    }

    private boolean take(Entry entry) {
        long taken = requests.get();
        while (mayTake(taken, entry)) {
            long seen = requests.compareAndExchange(taken, taken + entry.taken);
            if (seen == taken) return true;
            taken = seen;
        }
        return false;
    }

    private boolean mayTake(long taken, Entry entry) {
        int newcomers = newcomers(taken);
        if (entry == Entry.AS_NEWCOMER) return newcomers < mostNewcomers && inFlight(taken) < most;
        int tooMany = Math.max(0, newcomers - mostNewcomers); // that came back from being away
        return inFlight(taken) - tooMany < most;
    }

    private static int inFlight(long requests) {
        return (int) (requests & MASK);
    }

    private static int newcomers(long requests) {
        return (int) ((requests >>> BITS) & MASK);
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

    /// Whether no request is in flight or away, and none waits.
    boolean isIdle() {
        return room.count() == 0 && requests.get() == 0;
    }

    int inFlight() {
        return inFlight(requests.get());
    }

    int awaitingClients() {
        return (int) (requests.get() >>> AWAY_SHIFT);
    }

    int waiting() {
        return room.count();
    }

    /// Requests that found neither a place nor room or time to wait for one.
    long refused() {
        return refused.sum();
    }

    /// Requests whose client had as many as it may.
    long refusedOfClients() {
        return refusedOfClients.sum();
    }

    /// Clients that have requests under way, or connections on which they had some.
    int clients() {
        return clients.count();
    }
}
