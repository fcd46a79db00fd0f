package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.Http;
import gateway.app.proxy.RawConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// A WebSocket client of the smallest kind: short frames of text under a mask of zeros.
final class FrameClient implements AutoCloseable {
    private static final int TEXT = 0x81;
    private static final int CLOSE = 0x88;
    private static final int MASKED = 0x80;

    private final RawConnection connection;

    private FrameClient(RawConnection connection) {
        this.connection = connection;
    }

    static FrameClient open(URI entry) throws IOException {
        var connection = RawConnection.to(new InetSocketAddress(entry.getHost(), entry.getPort()));
        String answer = connection
                .send(Http.head(
                        "GET /socket HTTP/1.1",
                        "Host: a.example",
                        "Upgrade: websocket",
                        "Connection: Upgrade",
                        "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="))
                .readHead();
        assertThat(answer).startsWith("HTTP/1.1 101 ").containsIgnoringCase("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        return new FrameClient(connection);
    }

    /// What comes back for `text`, up to 125 octets of it.
    String say(String text) throws IOException {
        send(TEXT, text);
        return receive(TEXT);
    }

    /// Ends in order; what comes back as the reason.
    String end(String reason) throws IOException {
        send(CLOSE, reason);
        return receive(CLOSE);
    }

    private void send(int kind, String content) throws IOException {
        byte[] octets = content.getBytes(StandardCharsets.ISO_8859_1);
        byte[] frame = new byte[6 + octets.length];
        frame[0] = (byte) kind;
        frame[1] = (byte) (MASKED | octets.length);
        System.arraycopy(octets, 0, frame, 6, octets.length);
        connection.send(frame);
    }

    private String receive(int kind) throws IOException {
        String head = connection.read(2);
        assertThat((int) head.charAt(0)).isEqualTo(kind);
        return connection.read(head.charAt(1));
    }

    boolean isClosedByPeer() throws IOException {
        return connection.isClosedByPeer();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
