package gateway.app.proxy;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;

/// One client, by its [gateway.wire.accept.ClientNetwork]: how many requests it has begun and not ended, and those of
/// them that wait for a place.
final class Client {
    private final InetAddress network;
    private final int most;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger away = new AtomicInteger(); // those of them that wait for it, connected
    private final AtomicInteger lines = new AtomicInteger(); // of connections that may begin requests
    private final ClientTurns provenTurns = new ClientTurns(true);
    private final ClientTurns newTurns = new ClientTurns(false);

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

    /// One of its requests waits for the client itself, connected ([Admission#away]), until [#comesBack].
    void goesAway() {
        away.incrementAndGet();
    }

    void comesBack() {
        away.decrementAndGet();
    }

    /// How many of its requests wait so.
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

    /// Where its requests wait.
    ///
    /// @param proven those of connections that are; else the others
    ClientTurns turns(boolean proven) {
        return proven ? provenTurns : newTurns;
    }
}
