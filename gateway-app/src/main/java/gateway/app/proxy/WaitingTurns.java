package gateway.app.proxy;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/// Clients of which requests wait for a place: they have their turns one after the other. For the room alone.
final class WaitingTurns {
    private final ArrayDeque<ClientTurns> clients = new ArrayDeque<>();
    private int count;

    boolean isEmpty() {
        return clients.isEmpty();
    }

    /// How many clients there are.
    int clients() {
        return clients.size();
    }

    /// How many requests wait.
    int count() {
        return count;
    }

    void join(WaitingRequest request, ClientTurns client) {
        if (client.join(request)) clients.add(client);
        count++;
    }

    /// All that wait in `line` do so here from now on, by its [WaitingLine#turns].
    void enter(WaitingLine line) {
        if (line.turns().enter(line)) clients.add(line.turns());
        count += line.waiting();
    }

    /// All that wait in `line` do so elsewhere from now on.
    void leave(WaitingLine line) {
        line.turns().leave(line);
        if (!line.turns().waits()) clients.remove(line.turns());
        count -= line.waiting();
    }

    /// Takes the one whose turn it is.
    WaitingRequest next() {
        ClientTurns client = clients.remove();
        WaitingRequest next = client.next();
        if (client.waits()) clients.add(client);
        count--;
        return next;
    }

    /// Takes the latest of the client that has the most waiting; of several such, of the one whose turn comes last.
    WaitingRequest latestOfMost() {
        ClientTurns longest = clients.element();
        for (ClientTurns each : clients) if (each.count() >= longest.count()) longest = each;
        WaitingRequest latest = longest.latest();
        if (!longest.waits()) clients.remove(longest);
        count--;
        return latest;
    }

    /// This one of `client` was taken out of its line.
    void removed(WaitingRequest request, ClientTurns client) {
        client.removed(request);
        if (!client.waits()) clients.remove(client);
        count--;
    }

    /// Takes out whoever has waited too long.
    void expire(long now, Consumer<WaitingRequest> told) {
        clients.removeIf(client -> {
            client.expire(now, late -> {
                count--;
                told.accept(late);
            });
            return !client.waits();
        });
    }

    /// Nanoseconds until the first of those that wait has waited too long.
    long left(long now) {
        long least = Long.MAX_VALUE;
        for (ClientTurns client : clients) least = Math.min(least, client.left(now));
        return least;
    }
}
