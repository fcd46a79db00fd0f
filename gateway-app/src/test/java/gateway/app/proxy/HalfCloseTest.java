package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that end their side of a connection (TCP half-close) behind a request. As with nginx and Envoy, they have
/// left:
/// the end of their side is the only sign of it that TCP gives.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
@Timeout(60)
final class HalfCloseTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @Parameter
    RequestThreadMode mode;

    @Test
    void a_client_that_ends_its_side_while_an_answer_is_awaited_has_left() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(GET);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();

            client.finishSending();

            assertThat(upstream.isClosedByPeer()).isTrue();
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void nor_do_the_requests_that_it_has_sent_ahead_begin() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(GET + GET);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();

            client.finishSending();

            assertThat(upstream.isClosedByPeer()).isTrue();
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void a_client_that_ends_its_side_while_an_answer_streams_has_left() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send(GET);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
            client.readUntil("hello");

            client.finishSending();

            assertThat(upstream.isClosedByPeer()).isTrue();
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void a_client_that_ends_its_side_in_the_middle_of_a_body_has_left() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhello");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readUntil("hello");

            client.finishSending();

            assertThat(upstream.isClosedByPeer()).isTrue();
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void an_answer_that_needs_no_upstream_is_read_behind_a_half_close() throws IOException {
        try (Proxy proxy = Proxy.in(mode).stripping("/served").start()) {
            RawConnection client = proxy.client();
            client.send(GET).finishSending();

            assertThat(client.readToEnd()).startsWith("HTTP/1.1 404 ");
        }
    }
}
