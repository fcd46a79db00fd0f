package gateway.app.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// Passes bytes on to a port of this machine: at once, late as a slow network does, or not at all and in
/// silence as a broken one.
final class TcpProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean swallowing;
    private volatile long delayNanos;

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

    /// From now on answers take at least this long, at most twice that.
    void delay(Duration answers) {
        delayNanos = answers.toNanos();
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
            Thread.ofVirtual().start(() -> pump(client, server, false));
            Thread.ofVirtual().start(() -> pump(server, client, true));
        } catch (IOException e) {
            client.close();
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] bytes = new byte[8192];
        boolean mute = false;
        try (from;
                to) {
            for (int read = from.getInputStream().read(bytes);
                    read >= 0;
                    read = from.getInputStream().read(bytes)) {
                mute |= swallowing;
                if (answers && delayNanos > 0) LockSupport.parkNanos(delayNanos);
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
