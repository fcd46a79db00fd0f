package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Outcome;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that leave an exchange lying about: they do not take their answer, or do not finish their request. None
/// keeps its place among the requests in flight.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class IdleClientTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int MORE_THAN_SOCKETS_HOLD = 64 * 1024 * 1024;

    @Parameter
    RequestThreadMode mode;

    private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    private final Policy noting = exchange -> Verdict.proceed(new Followup() {
        @Override
        public void onEnd(Outcome outcome) {
            outcomes.add(outcome);
        }
    });

    private Outcome.Ending ending() throws InterruptedException {
        Outcome outcome = outcomes.poll(10, TimeUnit.SECONDS);
        assertThat(outcome).isNotNull();
        return outcome.ending();
    }

    private static void assertNothingInFlight(Proxy proxy) {
        assertThat(proxy.dataPlane().stop(Duration.ofSeconds(5))).isTrue();
        assertThat(proxy.dataPlane().requestsInFlight()).isZero();
    }

    @Test
    void a_client_that_does_not_read_is_given_up() throws Exception {
        try (Proxy proxy = Proxy.in(mode)
                .policies(noting)
                .settings(settings -> settings.withTimeouts(LONG, LONG, SHORT))
                .start()) {
            proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + MORE_THAN_SOCKETS_HOLD + "\r\n\r\n");
            try (Upload answer = Upload.to(upstream, 0)) {
                answer.awaitEnough();

                assertThat(ending()).isEqualTo(Outcome.Ending.CLIENT_SLOW);
                assertNothingInFlight(proxy);
            }
        }
    }

    @Test
    void a_client_that_does_not_read_is_given_up_soon_when_memory_is_tight() throws Exception {
        var memory = new MemoryBudget(1 << 30, 1 << 30);
        Budget other = memory.of(Kind.HEADS);
        try (Proxy proxy = Proxy.in(mode)
                .policies(noting)
                .settings(settings -> settings.withTimeouts(LONG, LONG, LONG)
                        .withLeastRates(LeastRates.of(0, 0))
                        .withMemory(memory))
                .start()) {
            proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            assertThat(other.take(other.most() / 8 * 7)).isTrue();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + MORE_THAN_SOCKETS_HOLD + "\r\n\r\n");
            try (Upload answer = Upload.to(upstream, 0)) {
                answer.awaitEnough();

                assertThat(ending()).isEqualTo(Outcome.Ending.CLIENT_SLOW);
                assertNothingInFlight(proxy);
            }
        }
    }

    @Test
    void one_that_does_not_read_from_its_web_socket_is_given_up_soon_when_memory_is_tight() throws Exception {
        var memory = new MemoryBudget(1 << 30, 1 << 30);
        Budget other = memory.of(Kind.HEADS);
        try (Proxy proxy = Proxy.in(mode)
                .policies(noting)
                .settings(settings -> settings.withMemory(memory))
                .start()) {
            RawConnection client = proxy.client().send("""
                            GET / HTTP/1.1\r
                            Host: a\r
                            Connection: Upgrade\r
                            Upgrade: websocket\r
                            Sec-WebSocket-Version: 13\r
                            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                            \r
                            """);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("""
                    HTTP/1.1 101 Switching Protocols\r
                    Connection: Upgrade\r
                    Upgrade: websocket\r
                    Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
                    \r
                    """);
            client.readHead();
            assertThat(other.take(other.most() / 8 * 7)).isTrue();
            try (Upload messages = Upload.to(upstream, 0)) {
                messages.awaitEnough();

                assertThat(ending()).isEqualTo(Outcome.Ending.CLIENT_SLOW);
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    @Test
    void a_client_that_does_not_read_chunks_is_given_up() throws Exception {
        try (Proxy proxy = Proxy.in(mode)
                .policies(noting)
                .settings(settings -> settings.withTimeouts(LONG, LONG, SHORT))
                .start()) {
            proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + Integer.toHexString(MORE_THAN_SOCKETS_HOLD) + "\r\n");
            try (Upload answer = Upload.to(upstream, 0)) {
                answer.awaitEnough();

                assertThat(ending()).isEqualTo(Outcome.Ending.CLIENT_SLOW);
                assertNothingInFlight(proxy);
            }
        }
    }

    @Test
    void a_client_that_does_not_read_holds_no_exchange_beyond_its_whole_time() throws Exception {
        try (Proxy proxy = Proxy.in(mode)
                .policies(noting)
                .timeouts(LONG, LONG, Duration.ofSeconds(1))
                .start()) {
            proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + MORE_THAN_SOCKETS_HOLD + "\r\n\r\n");
            try (Upload answer = Upload.to(upstream, 0)) {
                answer.awaitEnough();

                assertThat(ending()).isEqualTo(Outcome.Ending.UPSTREAM_BROKE_OFF);
                assertNothingInFlight(proxy);
            }
        }
    }

    @Test
    void a_rest_that_does_not_come_after_the_answer_is_not_awaited_for_long() throws Exception {
        try (Proxy proxy = Proxy.in(mode)
                .policies(noting)
                .settings(settings -> settings.withTimeouts(LONG, LONG, LONG))
                .start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\nhello");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readUntil("hello");
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
            assertThat(ending()).isNotNull();
            assertNothingInFlight(proxy);
        }
    }
}
