package gateway.app.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/// A listening socket that takes no further connection: its backlog is full, so that the kernel lets a SYN go
/// unanswered.
final class FullBacklog implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final List<Socket> waiting = new ArrayList<>();

    FullBacklog() throws IOException {
        while (true) {
            var socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()), 100);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : waiting) socket.close();
        listener.close();
    }
}
