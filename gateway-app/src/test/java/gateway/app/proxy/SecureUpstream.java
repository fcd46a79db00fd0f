package gateway.app.proxy;

import gateway.wire.tls.TestAuthority;
import gateway.wire.tls.TestAuthority.Issued;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/// An upstream server that speaks TLS by blocking sockets of the JDK. Answers each request with the server name it
/// was asked for and who the client showed to be.
final class SecureUpstream implements AutoCloseable {
    private final SSLServerSocket listener;
    private final List<SSLSocket> open = new CopyOnWriteArrayList<>();
    final List<String> connections = new CopyOnWriteArrayList<>();

    SecureUpstream(TestAuthority clients, Issued own) throws IOException {
        listener = (SSLServerSocket) clients.client(own)
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setWantClientAuth(true);
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "https://127.0.0.1:" + listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                var socket = (SSLSocket) listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(SSLSocket socket) {
        try {
            socket.startHandshake();
            connections.add(socket.getSession().getProtocol());
            var connection = new RawConnection(socket);
            while (true) {
                String head = connection.readHead();
                int length = head.contains("Content-Length") ? Http.contentLength(head) : 0;
                if (length > 0) connection.read(length);
                String told = shown(socket) + " " + length;
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + told.length() + "\r\n\r\n" + told);
            }
        } catch (IOException e) {
            // the client has left, or did not come in
        }
    }

    private static String shown(SSLSocket socket) {
        var session = (ExtendedSSLSession) socket.getSession();
        String asked = session.getRequestedServerNames().isEmpty()
                ? "no name"
                : new String(
                        session.getRequestedServerNames().getFirst().getEncoded(),
                        java.nio.charset.StandardCharsets.US_ASCII);
        try {
            return asked + " from " + session.getPeerPrincipal().getName();
        } catch (javax.net.ssl.SSLPeerUnverifiedException e) {
            return asked + " from nobody";
        }
    }

    @Override
    public void close() {
        try {
            for (SSLSocket socket : open) socket.close();
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
