package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.joined;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/// A client that opens WebSockets by extended CONNECT (RFC 8441), frame by frame, and the upstream that agrees.
final class Http2Sockets implements AutoCloseable {
    static final String[] HANDSHAKE = handshake("websocket");

    final Http2Gateway gateway;
    final Http2Wire client;

    Http2Sockets(Http2Gateway gateway) throws IOException {
        this.gateway = gateway;
        this.client = gateway.wire();
    }

    /// The fields of a handshake, and more.
    static String[] handshake(String protocol, String... more) {
        return joined(connect(protocol, "/chat?a=b"), more);
    }

    static String[] connect(String protocol, String path) {
        return new String[] {
            ":method",
            "CONNECT",
            ":protocol",
            protocol,
            ":scheme",
            "http",
            ":authority",
            "a.example",
            ":path",
            path,
            "sec-websocket-version",
            "13"
        };
    }

    /// Opens a socket on that stream; answers the upstream's connection.
    RawConnection open(int stream) throws IOException {
        client.headers(stream, false, HANDSHAKE);
        RawConnection upstream = gateway.upstream.accept();
        upstream.send(agreed(upstream.readHead()));
        assertThat(client.fields(client.next(Http2Wire.HEADERS))).containsEntry(":status", "200");
        return upstream;
    }

    /// The answer that agrees to what was asked, with more lines.
    static String agreed(String asked, String... lines) {
        String head = Http.head(
                "HTTP/1.1 101 Switching Protocols",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Accept: " + proof(Http.only(asked, "Sec-WebSocket-Key")));
        return lines.length == 0 ? head : head.replace("\r\n\r\n", "\r\n" + Http.head(lines));
    }

    private static String proof(String key) {
        byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What comes on that stream until its end.
    String rest(int stream) throws IOException {
        var content = new StringBuilder();
        while (true) {
            Http2Wire.Frame frame = client.next(Http2Wire.DATA);
            if (frame.stream() != stream) continue;
            content.append(frame.payload());
            if (frame.ends()) return content.toString();
        }
    }

    void awaitNone() {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (gateway.dataPlane().webSockets() > 0) {
            assertThat(System.nanoTime()).as("all sockets are gone").isLessThan(until);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        gateway.close();
    }
}
