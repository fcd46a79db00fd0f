package gateway.wire.client;

import gateway.wire.http1.MalformedResponseException;
import gateway.wire.http1.ResponseHeadParser;
import gateway.wire.tunnel.TunnelEnd;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// A WebSocket handshake (RFC 6455 §4) on its way to an upstream; holds the upstream's end of the tunnel once that has
/// agreed.
public final class Handshake {
    private static final HttpString ACCEPT = new HttpString("Sec-WebSocket-Accept");
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final String key;
    private @Nullable TunnelEnd upstream;

    /// @param key the client's `Sec-WebSocket-Key`
    public Handshake(String key) {
        this.key = key;
    }

    /// Where the client's bytes go; null while and when the upstream has not agreed.
    public @Nullable TunnelEnd upstream() {
        return upstream;
    }

    /// @throws MalformedResponseException when this `101` answers something else than was asked
    void agreed(ResponseHeadParser head, HeaderMap fields, UpstreamConnection from) throws MalformedResponseException {
        if (!head.switchesToWebSocket()) throw new MalformedResponseException("101 without Upgrade: websocket");
        if (!proof(key).equals(fields.getFirst(ACCEPT)))
            throw new MalformedResponseException("101 with a wrong Sec-WebSocket-Accept");
        upstream = from.tunnelEnd();
    }

    private static String proof(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
