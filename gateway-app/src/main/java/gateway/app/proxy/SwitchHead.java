package gateway.app.proxy;

import gateway.http.Response;
import gateway.wire.io.HeadWriter;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import io.undertow.util.StatusCodes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/// Writes the head of the answer that opens a WebSocket: `101`, or 200 on HTTP/2.
final class SwitchHead {
    private static final byte[] START =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1);

    /// What is not the upstream's to say here, in lower case.
    private static final Set<String> OURS =
            Set.of("connection", "upgrade", "content-length", "transfer-encoding", "x-request-id");

    private static final String ACCEPT = "sec-websocket-accept";

    private SwitchHead() {}

    static ByteBuffer of(ClientRequest request, Response answer) {
        HeadWriter head = request.ioThread().headWriter().clear().put(START);
        answer.headers().forEach((name, value) -> {
            if (!OURS.contains(name.toLowerCase(Locale.ROOT)))
                head.put(name).put(": ").put(value).end();
        });
        head.put(RequestFields.REQUEST_ID)
                .put(": ")
                .put(request.exchange().requestId())
                .end()
                .end();
        ByteBuffer bytes = ByteBuffer.allocate(head.length());
        head.copyTo(bytes);
        return bytes.flip();
    }

    /// The same on HTTP/2, which proves nothing (RFC 8441 §5.1).
    static HeaderMap fields(ClientRequest request, Response answer) {
        var fields = new HeaderMap();
        fields.put(Http2Request.STATUS, StatusCodes.OK);
        answer.headers().forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!OURS.contains(lower) && !lower.equals(ACCEPT)) fields.add(HttpString.tryFromString(name), value);
        });
        fields.put(RequestFields.REQUEST_ID, request.exchange().requestId());
        return fields;
    }
}
