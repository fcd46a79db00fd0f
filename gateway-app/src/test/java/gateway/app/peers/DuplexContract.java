package gateway.app.peers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.RawConnection;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/// [EchoContract] where all that stands between passes an answer on while its request is still on its way. nginx 1.22
/// and Caddy 2.6 do not, without the gateway either.
abstract class DuplexContract extends EchoContract {
    private static final int CHUNK = 100_000;

    /// The client reads while it sends. The JDK's reads nothing before all is sent, and then this stands still as soon
    /// as the buffers on the way are full: 7 MB with HTTP/2 in it, 17 MB by HAProxy alone.
    @Test
    void a_large_body_comes_back_while_it_goes() throws Exception {
        byte[] content = pattern(LARGE);
        try (RawConnection both = raw()) {
            var sending = new FutureTask<>(() -> both.send(inChunks(content)));
            both.send("POST /echo HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n");
            Thread.ofVirtual().start(sending);

            String head = both.readHead();
            String back = both.readChunked();

            assertThat(head).startsWith("HTTP/1.1 200 ");
            assertThat(digest(back.getBytes(ISO_8859_1))).isEqualTo(digest(content));
            sending.get();
        }
    }

    private static byte[] inChunks(byte[] content) {
        var chunks = new ByteArrayOutputStream();
        for (int from = 0; from < content.length; from += CHUNK) {
            int length = Math.min(CHUNK, content.length - from);
            chunks.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(US_ASCII));
            chunks.write(content, from, length);
            chunks.writeBytes("\r\n".getBytes(US_ASCII));
        }
        chunks.writeBytes("0\r\n\r\n".getBytes(US_ASCII));
        return chunks.toByteArray();
    }
}
