package gateway.app.traffic;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A server that answers every request without a body with `ok`, as fast as it can, on connections that stay open.
final class KeepAliveUpstream implements AutoCloseable {
    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
            .getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener;

    private KeepAliveUpstream(ServerSocket listener) {
        this.listener = listener;
    }

    static KeepAliveUpstream start() throws IOException {
        var upstream = new KeepAliveUpstream(new ServerSocket(0, 1024, InetAddress.getLoopbackAddress()));
        Thread.ofPlatform().name("upstream").daemon().start(upstream::accept);
        return upstream;
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            var buffer = new byte[8192];
            int ends = 0; // line ends in a row: 4 bytes end a head
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                for (int i = 0; i < read; i++) {
                    ends = buffer[i] == '\r' || buffer[i] == '\n' ? ends + 1 : 0;
                    if (ends == 4) socket.getOutputStream().write(ANSWER);
                }
            }
        } catch (IOException e) {
            // the gateway has gone
        }
    }
}
