package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.GOAWAY;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// An address behind which some servers speak HTTP/2 and some do not, as a balancer between two releases has it.
@Timeout(60)
final class AutoProtocolTest {
    @RegisterExtension
    private final AutoUpstream upstream = new AutoUpstream();

    private RawConnection accept(String protocol) throws IOException {
        return upstream.accept(_ -> protocol);
    }

    /// Leaves without having looked at the only request.
    private static void leave(Http2Wire server) throws IOException {
        server.frame(GOAWAY, 0, 0, new byte[8]);
        server.close();
    }

    @Test
    void a_request_that_a_server_of_http_2_left_goes_to_one_of_http_1() throws IOException {
        Http2Wire client = upstream.gateway().wire().get(1, "/x");
        Http2Wire old = Http2Wire.serving(accept("h2")).frame(SETTINGS, 0, 0);
        old.next(HEADERS);

        leave(old);
        RawConnection other = accept("http/1.1");

        assertThat(other.readHead()).startsWith("GET /x HTTP/1.1\r\n");
        other.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        assertThat(client.answer(1).content()).isEqualTo("hello");
    }

    @Test
    void one_whose_body_has_begun_is_not_sent_without_its_beginning() throws IOException {
        Http2Wire client = upstream.gateway().wire().post(1, "/x").data(1, false, "begin");
        Http2Wire old = Http2Wire.serving(accept("h2")).frame(SETTINGS, 0, 0);
        assertThat(old.next(DATA).payload()).isEqualTo("begin");

        leave(old);
        client.data(1, true, "end");
        RawConnection other = accept("http/1.1");
        ((SSLSocket) other.socket()).startHandshake();

        assertThat(client.answer(1).status()).isEqualTo("502");
    }
}
