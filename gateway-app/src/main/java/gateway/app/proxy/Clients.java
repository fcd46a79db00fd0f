package gateway.app.proxy;

import gateway.net.IpRanges;
import gateway.wire.accept.ClientNetwork;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The clients that have requests under way, or connections on which they had some.
final class Clients {
    private final int most;
    private final IpRanges proxies;
    private final Map<InetAddress, Client> known = new ConcurrentHashMap<>();

    /// @param mostEach requests that one client may have begun and not ended; 0: as many as it likes
    /// @param proxies that carry the requests of many clients
    Clients(int mostEach, IpRanges proxies) {
        this.most = mostEach == 0 ? Integer.MAX_VALUE : mostEach;
        this.proxies = proxies;
    }

    /// Where the requests of a connection of `peer` wait, until [WaitingLine#end].
    WaitingLine line(InetAddress peer) {
        if (isProxy(peer)) return new WaitingLine(this, new Client(peer, Integer.MAX_VALUE), WaitingLine.Kind.PROXYS);
        return new WaitingLine(this, joined(peer), WaitingLine.Kind.CLIENTS);
    }

    /// Where this request waits: among those of its connection, or of whom a proxy names. On the IO thread.
    WaitingLine line(ClientConnection connection, ClientRequest request) {
        WaitingLine own = connection.line(this);
        if (!own.isProxys()) return own;
        InetAddress named = request.address();
        return isProxy(named) ? own : new WaitingLine(this, joined(named), WaitingLine.Kind.REQUESTS);
    }

    private boolean isProxy(InetAddress address) {
        return !proxies.isEmpty() && proxies.contains(address);
    }

    private Client joined(InetAddress address) {
        return known.compute(ClientNetwork.of(address), (network, before) -> {
            Client client = before == null ? new Client(network, most) : before;
            client.lineBegins();
            return client;
        });
    }

    void lineEnded(Client client) {
        client.lineEnds();
        forget(client);
    }

    /// Forgets a client of which nothing is left.
    void forget(Client client) {
        known.computeIfPresent(client.network(), (_, now) -> now.isGone() ? null : now);
    }

    /// How many there are.
    int count() {
        return known.size();
    }
}
