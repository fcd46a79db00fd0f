package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.GOAWAY;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.bytes;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames of content that hold none, or nothing but padding, from clients and upstreams (CVE-2019-9518).
@Timeout(60)
final class Http2PaddingTest {
    private static final int PADDED = 8;

    @RegisterExtension
    private final FramedUpstream upstream = FramedUpstream.start();

    /// A frame of content for stream 1.
    ///
    /// @param padding bytes; negative: it is not padded
    private static byte[] frame(int padding, String content) {
        if (padding < 0) return bytes(DATA, 0, 1, content.getBytes(ISO_8859_1));
        var payload = new byte[1 + content.length() + padding];
        payload[0] = (byte) padding;
        for (int i = 0; i < content.length(); i++) payload[1 + i] = (byte) content.charAt(i);
        return bytes(DATA, PADDED, 1, payload);
    }

    /// Sends the frames so often, unless the gateway has had enough of them meanwhile.
    private static void flood(Http2Wire gateway, int times, byte[] frames) {
        var many = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) many.writeBytes(frames);
        try {
            for (int i = 0; i < times; i += 100) gateway.connection().send(many.toByteArray());
        } catch (IOException e) {
            // it has
        }
    }

    private Http2Wire answering(Http2Wire client) throws IOException {
        client.get(1, "/x");
        Http2Wire server = upstream.accept();
        server.next(HEADERS);
        server.headers(1, false, ":status", "200");
        client.next(HEADERS);
        return server;
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 10, 255})
    void an_upstream_that_sends_frames_without_content_for_ever_is_cut_off(int padding) throws IOException {
        Http2Wire client = upstream.gateway().wire();
        Http2Wire server = answering(client);

        flood(server, 100_000, frame(padding, ""));

        assertThat(client.next(RST_STREAM).stream()).isEqualTo(1);
        assertThat(server.connection().isClosedByPeer()).isTrue();
    }

    @Test
    void an_upstream_may_send_a_frame_without_content_between_any_two_with_some() throws IOException {
        Http2Wire client = upstream.gateway().wire();
        Http2Wire server = answering(client);

        var both = new ByteArrayOutputStream();
        both.writeBytes(frame(-1, "a"));
        both.writeBytes(frame(3, ""));
        flood(server, 20_000, both.toByteArray());
        server.data(1, true, "");

        int came = 0;
        for (boolean ended = false; !ended; ) {
            Http2Wire.Frame content = client.next(DATA);
            came += content.payload().length();
            ended = content.ends();
        }
        assertThat(came).isEqualTo(20_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 255})
    void a_client_that_sends_nothing_but_padding_for_ever_is_told_to_calm_down(int padding) throws IOException {
        Http2Wire client = upstream.gateway().wire().post(1, "/x");

        flood(client, 12_000, frame(padding, ""));

        assertThat(client.next(GOAWAY).code()).isEqualTo(Http2Wire.ENHANCE_YOUR_CALM);
    }
}
