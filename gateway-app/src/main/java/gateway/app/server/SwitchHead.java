package gateway.app.server;

import gateway.app.upstream.HeadWriter;
import gateway.http.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Writes the head of the answer `101` that opens a WebSocket.
final class SwitchHead {
    private static final byte[] START =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1);

    /// What is not the upstream's to say here, in lower case.
    private static final Set<String> OURS =
            Set.of("connection", "upgrade", "content-length", "transfer-encoding", "x-request-id");

    private SwitchHead() {}

    static ByteBuffer of(UndertowExchange exchange, Response answer) {
        HeadWriter head = exchange.lane().headWriter().clear().put(START);
        answer.headers().forEach((name, value) -> {
            if (!OURS.contains(name.toLowerCase(java.util.Locale.ROOT)))
                head.put(name).put(": ").put(value).end();
        });
        head.put(RequestFields.REQUEST_ID)
                .put(": ")
                .put(exchange.requestId())
                .end()
                .end();
        ByteBuffer bytes = ByteBuffer.allocate(head.length());
        head.copyTo(bytes);
        return bytes.flip();
    }
}
