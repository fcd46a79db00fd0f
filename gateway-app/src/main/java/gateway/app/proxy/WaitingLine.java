package gateway.app.proxy;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Those requests of one connection that wait for a place, in their order, and whose they are. One of a trusted proxy's
/// connection has a line of its own, since the next one may be another client's.
final class WaitingLine {
    private final Clients clients;
    private final Client client;
    private final Kind kind;
    private @Nullable ArrayDeque<WaitingRequest> waiting; // for the room alone
    private @Nullable ClientTurns turns; // of its client, among which it has its own; for the room alone

    /// How long a line lasts.
    enum Kind {
        /// As long as the connection of the client.
        CLIENTS,
        /// As long as the connection, which carries many clients.
        PROXYS,
        /// As long as a request.
        REQUESTS
    }

    WaitingLine(Clients clients, Client client, Kind kind) {
        this.clients = clients;
        this.client = client;
        this.kind = kind;
    }

    Client client() {
        return client;
    }

    boolean isProxys() {
        return kind == Kind.PROXYS;
    }

    /// A request that began, or tried to, is over.
    void requestEnded() {
        if (kind == Kind.REQUESTS) end();
        else if (client.isGone()) clients.forget(client); // it has outlived its connection
    }

    /// No request begins here any more.
    void end() {
        clients.lineEnded(client);
    }

    /// Where it has its turns, as long as somebody waits.
    ClientTurns turns() {
        if (turns == null) throw new IllegalStateException("nobody waits");
        return turns;
    }

    /// `request` waits.
    void join(WaitingRequest request) {
        if (!waits()) turns = client.turns(request.isProven());
        if (waiting == null) waiting = new ArrayDeque<>(1);
        waiting.add(request);
    }

    /// From now on it has its turns among those of connections that are proven.
    void prove() {
        turns = client.turns(true);
    }

    boolean waits() {
        return waiting() > 0;
    }

    /// How many wait.
    int waiting() {
        return waiting == null ? 0 : waiting.size();
    }

    /// Takes this one; false when it does not wait here.
    boolean remove(WaitingRequest request) {
        return waiting != null && waiting.remove(request);
    }

    /// Takes the one that came last.
    WaitingRequest latest() {
        if (waiting == null) throw new IllegalStateException("nobody waits");
        return waiting.removeLast();
    }

    WaitingRequest next() {
        if (waiting == null) throw new IllegalStateException("nobody waits");
        return waiting.remove();
    }

    /// Takes out whoever has waited too long.
    void expire(long now, Consumer<WaitingRequest> told) {
        while (waits() && left(now) <= 0) told.accept(next());
    }

    /// Nanoseconds until the first of those that wait has waited too long.
    long left(long now) {
        return waiting == null || waiting.isEmpty()
                ? Long.MAX_VALUE
                : waiting.element().left(now);
    }
}
