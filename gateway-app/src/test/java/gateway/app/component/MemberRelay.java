package gateway.app.component;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Passes on what other members send to one, unless it is cut for those who call from some address.
final class MemberRelay implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress to;
    private final Set<InetAddress> cut = ConcurrentHashMap.newKeySet();
    private final Map<Socket, InetAddress> open = new ConcurrentHashMap<>(); // by who calls

    MemberRelay(InetSocketAddress listen, InetSocketAddress to) throws IOException {
        this.server = new ServerSocket();
        this.to = to;
        server.bind(listen);
        Thread.ofVirtual().start(this::accept);
    }

    /// From now on nothing that comes from `caller` passes.
    void cut(InetAddress caller) {
        cut.add(caller);
        open.forEach((socket, from) -> {
            if (from.equals(caller)) close(socket);
        });
    }

    void mend() {
        cut.clear();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                Thread.ofVirtual().start(() -> pass(caller));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void pass(Socket caller) {
        InetAddress from = caller.getInetAddress();
        open.put(caller, from);
        try (caller;
                var called = new Socket()) {
            if (cut.contains(from)) return;
            called.connect(to);
            Thread back = Thread.ofVirtual().start(() -> copy(called, caller));
            copy(caller, called);
            close(called);
            back.join();
        } catch (IOException e) {
            return; // the member is away
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(caller);
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException e) {
            // one of them has closed, and so does the other
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        close(server);
        open.keySet().forEach(MemberRelay::close);
    }
}
