package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/// What several streams of one connection have ready leaves in one write. Over TLS each write makes a record, which a
/// client can count.
final class Http2GatheringTest {
    private static final int RECORD_HEAD = 5;
    private static final int STREAMS = 20;
    private static final int MOST_ROUNDS = 1_000;
    private static final Policy ANSWERING = exchange ->
            Verdict.stop(Response.of(200, "text/plain", exchange.path().getBytes(ISO_8859_1)));

    /// Keeps what comes from the gateway as it is on the wire.
    private static final class Listening extends Socket {
        private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

        Listening(int port) throws IOException {
            super(InetAddress.getLoopbackAddress(), port);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    int octet = super.read();
                    if (octet >= 0) heard.write(octet);
                    return octet;
                }

                @Override
                public int read(byte[] to, int offset, int length) throws IOException {
                    int count = super.read(to, offset, length);
                    if (count > 0) heard.write(to, offset, count);
                    return count;
                }
            };
        }

        /// How many whole records came after the first `from` bytes.
        int records(int from) {
            ByteBuffer octets = ByteBuffer.wrap(heard.toByteArray()).position(from);
            int count = 0;
            for (; octets.remaining() >= RECORD_HEAD; count++) {
                octets.position(octets.position() + RECORD_HEAD + octets.getShort(octets.position() + 3));
            }
            return count;
        }
    }

    /// Once they are ready within one turn of the connection, for which code has to be warm.
    @Test
    void answers_that_are_ready_together_leave_in_one_write() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.start(ANSWERING);
                var heard = new Listening(URI.create(gateway.url("/")).getPort());
                var client = new Http2Wire(new RawConnection(secured(gateway, heard)))) {
            client.begin().frame(Http2Wire.SETTINGS, 1, 0);
            client.next(Http2Wire.WINDOW_UPDATE); // of the gateway's beginning
            client.next(Http2Wire.SETTINGS); // acknowledges ours

            int fewest = STREAMS;
            for (int round = 0; round < MOST_ROUNDS && fewest > 1; round++) {
                int before = heard.heard.size();
                int first = 1 + 2 * STREAMS * round;
                client.connection().send(requests(first));
                for (int i = 0; i < STREAMS; i++)
                    assertThat(client.answer(first + 2 * i).content()).isEqualTo("/" + i);
                fewest = Math.min(fewest, heard.records(before));
            }
            assertThat(fewest).isEqualTo(1);
        }
    }

    private static SSLSocket secured(Http2Gateway gateway, Socket over) throws IOException {
        var factory = gateway.authority.client().getSocketFactory();
        var socket = (SSLSocket) factory.createSocket(over, "localhost", over.getPort(), true);
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /// All in one record, so that they come together.
    private static byte[] requests(int first) {
        var frames = new ByteArrayOutputStream();
        for (int i = 0; i < STREAMS; i++) {
            byte[] section = Http2Wire.section(
                    ":method", "GET", ":scheme", "https", ":authority", "localhost", ":path", "/" + i);
            frames.writeBytes(Http2Wire.bytes(
                    Http2Wire.HEADERS, Http2Wire.END_HEADERS | Http2Wire.END_STREAM, first + 2 * i, section));
        }
        return frames.toByteArray();
    }
}
