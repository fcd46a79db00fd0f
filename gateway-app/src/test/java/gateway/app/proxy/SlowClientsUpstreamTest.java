package gateway.app.proxy;

import static gateway.Eventually.until;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Response;
import gateway.policy.Verdict;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an upstream sees of slow clients, and what is held for them instead.
final class SlowClientsUpstreamTest {
    private static final int INITIAL_WINDOW = 4;
    private static final String GET = "GET /other HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 10\r\n\r\n0123456789",
                "Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n"
            })
    void a_small_answer_that_its_client_does_not_take_leaves_the_upstreams_connection_to_others(String answer)
            throws IOException {
        try (Http2Gateway gateway = Http2Gateway.start();
                Http2Wire slow = gateway.wire();
                RawConnection other = gateway.plain()) {
            slow.frame(Http2Wire.SETTINGS, 0, 0, setting(INITIAL_WINDOW, 0)).get(1, "/");
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\n" + answer);
            slow.next(Http2Wire.HEADERS);
            awaitIdle(gateway);
            other.send(GET);
            assertThat(upstream.readHead()).startsWith("GET /other ");
            upstream.send(OK);
            assertThat(Http.body(other.readAnswer())).isEqualTo("ok");

            slow.frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(4));
            assertThat(slow.next(Http2Wire.DATA).payload()).isEqualTo("0123");
            slow.frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(100));
            assertThat(slow.next(Http2Wire.DATA).payload()).isEqualTo("456789");
        }
    }

    @Test
    void an_answer_whose_rest_comes_later_is_read_whole_too() throws IOException {
        try (Http2Gateway gateway = Http2Gateway.start();
                Http2Wire slow = gateway.wire();
                RawConnection other = gateway.plain()) {
            slow.frame(Http2Wire.SETTINGS, 0, 0, setting(INITIAL_WINDOW, 2)).get(1, "/");
            RawConnection upstream = gateway.upstream.accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234");
            assertThat(slow.next(Http2Wire.DATA).payload()).isEqualTo("01");
            upstream.send("56789");

            awaitIdle(gateway);
            other.send(GET);
            assertThat(upstream.readHead()).startsWith("GET /other ");
            slow.frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(100));
            assertThat(slow.next(Http2Wire.DATA).payload()).isEqualTo("23456789");
        }
    }

    @Test
    void a_small_upload_reaches_the_upstream_when_it_is_whole() throws IOException {
        try (Http2Gateway gateway = Http2Gateway.start();
                RawConnection client = gateway.plain()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n01234");
            assertThat(gateway.upstream.nobodyElseCalls()).isTrue();
            client.send("56789");
            RawConnection upstream = gateway.upstream.accept();

            assertThat(Http.only(upstream.readHead(), "Content-Length")).isEqualTo("10");
            assertThat(upstream.read(10)).isEqualTo("0123456789");
        }
    }

    @Test
    void a_small_upload_that_comes_with_its_head_is_passed_on_without_being_gathered() throws IOException {
        var memory = new MemoryBudget(1 << 30, 1 << 30);
        try (Http2Gateway gateway = Http2Gateway.holding(memory);
                RawConnection client = gateway.plain()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789");
            RawConnection upstream = gateway.upstream.accept();

            assertThat(Http.only(upstream.readHead(), "Content-Length")).isEqualTo("10");
            assertThat(upstream.read(10)).isEqualTo("0123456789");
            assertThat(memory.of(Kind.BODIES).taken()).isZero();
        }
    }

    @Test
    void a_policy_refuses_by_the_head_alone_whatever_comes_of_the_body() throws IOException {
        try (Http2Gateway gateway = Http2Gateway.start(exchange -> Verdict.stop(Response.of(401)));
                RawConnection client = gateway.plain()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n01234");

            assertThat(client.readHead()).startsWith("HTTP/1.1 401 ");
        }
    }

    @Test
    void a_body_that_does_not_fit_into_memory_is_answered_503_and_nothing_of_it_is_held() throws IOException {
        var memory = new MemoryBudget(8 << 20, 1 << 30); // of which bodies have 1 MiB
        try (Http2Gateway gateway = Http2Gateway.holding(memory, exchange -> {
                    exchange.body().bytes(Integer.MAX_VALUE);
                    return Verdict.proceed();
                });
                RawConnection client = gateway.plain()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
                    .send(new byte[2_000_000]);

            assertThat(client.readHead()).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1");
            until(() -> memory.of(Kind.BODIES).taken() <= 64 * 1024);
            assertThat(memory.of(Kind.BODIES).refused()).isPositive();
        }
    }

    /// Until a connection to the upstream waits for the next request.
    private static void awaitIdle(Http2Gateway gateway) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (gateway.dataPlane().upstreamPools().stream().noneMatch(pool -> pool.idle() > 0)) {
            assertThat(System.nanoTime()).as("in time").isLessThan(until);
            Thread.onSpinWait();
        }
    }
}
