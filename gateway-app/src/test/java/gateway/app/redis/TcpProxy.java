package gateway.app.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Passes bytes on to a port of this machine, or swallows them in silence as a broken network does.
final class TcpProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean swallowing;

    private TcpProxy(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
    }

    static TcpProxy to(int target) {
        try {
            var proxy = new TcpProxy(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), target);
            Thread.ofVirtual().start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /// From now on connections stand and nothing passes, neither way.
    void swallow() {
        swallowing = true;
    }

    /// Connections made from now on work again; what was swallowed is gone, and older ones stay mute.
    void pass() {
        swallowing = false;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                join(listener.accept());
            } catch (IOException e) {
                // closed; or the client has gone before it was served
            }
        }
    }

    /// A client whose target is away sees its connection end, and the next one is served.
    private void join(Socket client) throws IOException {
        try {
            var server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(client);
            sockets.add(server);
            Thread.ofVirtual().start(() -> pump(client, server));
            Thread.ofVirtual().start(() -> pump(server, client));
        } catch (IOException e) {
            client.close();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        boolean mute = false;
        try (from;
                to) {
            for (int read = from.getInputStream().read(bytes);
                    read >= 0;
                    read = from.getInputStream().read(bytes)) {
                mute |= swallowing;
                if (!mute) to.getOutputStream().write(bytes, 0, read);
            }
        } catch (IOException e) {
            // the other side has gone
        }
        sockets.remove(from);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var socket : sockets) socket.close();
    }
}
