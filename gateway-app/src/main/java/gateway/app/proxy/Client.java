package gateway.app.proxy;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// One client, by its [gateway.wire.accept.ClientNetwork]: how many requests it has begun and not ended, and those of
/// them that wait for a place, by connection.
final class Client {
    private final InetAddress network;
    private final int most;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger away = new AtomicInteger(); // those of them that wait for the client itself
    private final AtomicInteger lines = new AtomicInteger(); // of connections that may begin requests
    private volatile int waiting; // changed by the room alone
    private final ArrayDeque<WaitingLine> turns =
            new ArrayDeque<>(1); // those in which somebody waits; for the room alone

    /// @param most requests at once
    Client(InetAddress network, int most) {
        this.network = network;
        this.most = most;
    }

    InetAddress network() {
        return network;
    }

    /// One request more, until [#end]; false when it has as many as it may.
    boolean begin() {
        if (requests.incrementAndGet() <= most) return true;
        requests.decrementAndGet();
        return false;
    }

    void end() {
        requests.decrementAndGet();
    }

    /// One of its requests waits for the client itself, until [#comesBack].
    void goesAway() {
        away.incrementAndGet();
    }

    void comesBack() {
        away.decrementAndGet();
    }

    /// How many of its requests wait for the client itself.
    int away() {
        return away.get();
    }

    void lineBegins() {
        lines.incrementAndGet();
    }

    void lineEnds() {
        lines.decrementAndGet();
    }

    /// Whether nothing of it is left that could begin or end a request.
    boolean isGone() {
        return lines.get() == 0 && requests.get() == 0;
    }

    /// `request` waits; answers whether it is the only one.
    boolean join(WaitingRequest request) {
        boolean first = turns.isEmpty();
        count(1);
        if (request.line().join(request)) turns.add(request.line());
        return first;
    }

    boolean waits() {
        return !turns.isEmpty();
    }

    /// Takes one of those that wait: its connections have their turns one after the other.
    WaitingRequest next() {
        WaitingLine line = turns.remove();
        WaitingRequest next = line.next();
        if (line.waits()) turns.add(line);
        count(-1);
        return next;
    }

    /// Takes the one that came last to the connection with the most.
    WaitingRequest latest() {
        WaitingLine longest = turns.element();
        for (WaitingLine each : turns) if (each.waiting() >= longest.waiting()) longest = each;
        WaitingRequest latest = longest.latest();
        if (!longest.waits()) turns.remove(longest);
        count(-1);
        return latest;
    }

    /// How many wait.
    int waiting() {
        return waiting;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // there is one writer
    private void count(int change) {
        waiting += change;
    }

    /// Takes out whoever has waited too long.
    void expire(long now, Consumer<WaitingRequest> told) {
        turns.removeIf(line -> {
            line.expire(now, late -> {
                count(-1);
                told.accept(late);
            });
            return !line.waits();
        });
    }

    /// Nanoseconds until the first of those that wait has waited too long.
    long left(long now) {
        long least = Long.MAX_VALUE;
        for (WaitingLine line : turns) least = Math.min(least, line.left(now));
        return least;
    }
}
