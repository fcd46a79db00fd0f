package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// When a kept-alive upstream connection turns out to be dead.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class RetryTest {
    @Parameter
    RequestThreadMode mode;

    /// A connection that the gateway believes to be alive, after one good exchange.
    private static RawConnection warmed(Proxy proxy, RawConnection client) throws IOException {
        client.send("GET /warm HTTP/1.1\r\nHost: a\r\n\r\n");
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        client.readAnswer();
        return upstream;
    }

    @Test
    void repeats_an_idempotent_request_once_on_a_fresh_connection() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client();
            RawConnection first = warmed(proxy, client);
            client.send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n");
            first.readHead();
            first.close();
            RawConnection second = proxy.upstream().accept();
            String request = second.readHead();
            second.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(Http.start(request)).isEqualTo("GET /again HTTP/1.1");
            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void repeats_it_only_once() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client();
            RawConnection first = warmed(proxy, client);
            client.send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n");
            first.readHead();
            first.close();
            RawConnection second = proxy.upstream().accept();
            second.readHead();
            second.close();

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
            assertThat(proxy.upstream().nobodyElseCalls()).isTrue();
        }
    }

    @Test
    void never_repeats_what_is_not_idempotent_once_it_was_written() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client();
            RawConnection first = warmed(proxy, client);
            client.send("POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
            first.readHead();
            first.close();

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
            assertThat(proxy.upstream().nobodyElseCalls()).isTrue();
        }
    }

    @Test
    void sends_again_what_is_not_idempotent_when_nothing_of_it_was_written() throws IOException {
        var idle = new AtomicReference<@Nullable RawConnection>();
        Policy dying = exchange -> {
            RawConnection upstream = idle.get();
            if (upstream != null) reset(upstream); // while the IO thread is busy here and cannot notice
            return Verdict.proceed();
        };
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).policies(dying).start()) {
            RawConnection client = proxy.client();
            idle.set(warmed(proxy, client));
            client.send("POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
            RawConnection second = proxy.upstream().accept();
            String request = second.readHead() + second.read(2);
            second.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");

            assertThat(Http.start(request)).isEqualTo("POST /pay HTTP/1.1");
            assertThat(Http.body(request)).isEqualTo("hi");
            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 201 Created");
            assertThat(proxy.upstream().nobodyElseCalls()).isTrue();
        }
    }

    private static void reset(RawConnection connection) {
        try {
            connection.reset();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void never_repeats_once_a_byte_of_the_answer_has_come() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client();
            RawConnection first = warmed(proxy, client);
            client.send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n");
            first.readHead();
            first.send("HTTP/1.1 2").close();

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
            assertThat(proxy.upstream().nobodyElseCalls()).isTrue();
        }
    }

    @Test
    void never_repeats_on_a_connection_that_was_fresh() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection only = proxy.upstream().accept();
            only.readHead();
            only.close();

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
            assertThat(proxy.upstream().nobodyElseCalls()).isTrue();
        }
    }

    @Test
    void does_not_use_a_connection_that_the_upstream_has_closed_while_idle() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client();
            RawConnection first = warmed(proxy, client);
            first.finishSending();
            boolean closed = first.isClosedByPeer();
            client.send("POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
            RawConnection second = proxy.upstream().accept();

            assertThat(closed).isTrue();
            assertThat(Http.start(second.readHead())).isEqualTo("POST /pay HTTP/1.1");
        }
    }
}
