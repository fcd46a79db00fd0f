package gateway.app.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/// What one test class has started, each in a folder of its own; ended in the opposite order.
final class Peers implements Peer {
    private final Path root;
    private final Deque<Peer> started = new ArrayDeque<>();
    private int folders;

    Peers(Path root) {
        this.root = root;
    }

    Path folder() {
        try {
            return Files.createDirectories(root.resolve("" + folders++));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    <T extends Peer> T add(T peer) {
        started.push(peer);
        return peer;
    }

    PeerGateway gateway(String place) {
        return gateway(place, Map.of());
    }

    /// @param settings `GATEWAY_*` variables
    PeerGateway gateway(String place, Map<String, String> settings) {
        return add(PeerGateway.start(folder(), settings, "{\"targets\": [{\"url\": \"http://" + place + "\"}]}"));
    }

    Nginx nginx(String place) {
        return add(Nginx.start(folder(), Nginx.proxyTo(place)));
    }

    /// @param server a place, and how it is spoken to
    PeerProcess haproxy(String server) {
        return add(Haproxy.start(folder(), server));
    }

    /// @param upstream a place, or a URL with one
    PeerProcess caddy(String upstream) {
        return add(Caddy.start(folder(), upstream));
    }

    PeerProcess node() {
        return add(PeerEchoServer.node(folder()));
    }

    @Override
    public void close() {
        for (Peer peer : started) peer.close();
    }
}
