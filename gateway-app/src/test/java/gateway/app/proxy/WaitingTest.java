package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What becomes of requests past the most in flight.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class WaitingTest {
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final Duration LONG = Duration.ofMinutes(1);

    @Parameter
    RequestThreadMode mode;

    private Proxy proxy(int inFlight, int waiting, Duration patience) throws IOException {
        return Proxy.in(mode)
                .settings(plane -> plane.withIoThreads(
                                1) // so that the one connection to the upstream is kept for the next
                        .withMaxInFlight(inFlight)
                        .withWaiting(new WaitingLimits(waiting, patience)))
                .start();
    }

    @Test
    void a_request_past_the_most_in_flight_waits_for_one_to_end() throws IOException {
        try (Proxy proxy = proxy(1, 1, LONG)) {
            Underway first = first(proxy);
            RawConnection second = proxy.client().send(get("/2"));
            awaitWaiting(proxy, 1);
            String firstAnswer = first.answered();
            String forwarded = first.upstream().readHead();
            first.upstream().send(ANSWER);

            assertThat(Http.start(firstAnswer)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(forwarded).startsWith("GET /2 ");
            assertThat(Http.start(second.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
            assertThat(proxy.dataPlane().refusedRequests()).isZero();
        }
    }

    @Test
    void who_came_first_goes_first() throws IOException {
        try (Proxy proxy = proxy(1, 3, LONG)) {
            RawConnection upstream = first(proxy).upstream();
            for (int number = 2; number <= 4; number++) {
                proxy.client().send(get("/" + number));
                awaitWaiting(proxy, number - 1);
            }

            for (int number = 2; number <= 4; number++) {
                upstream.send(ANSWER);
                assertThat(upstream.readHead()).startsWith("GET /" + number + " ");
            }
        }
    }

    @Test
    void clients_have_their_turns_one_after_the_other_however_many_requests_each_has_waiting() throws IOException {
        try (Proxy proxy = proxy(1, 4, LONG)) {
            RawConnection upstream = first(proxy).upstream();
            for (int number = 1; number <= 3; number++) {
                proxy.client().send(get("/many/" + number));
                awaitWaiting(proxy, number);
            }
            proxy.client("127.0.0.2").send(get("/other"));
            awaitWaiting(proxy, 4);

            for (String path : List.of("/many/1", "/other", "/many/2", "/many/3")) {
                upstream.send(ANSWER);
                assertThat(upstream.readHead()).startsWith("GET " + path + " ");
            }
        }
    }

    @Test
    void a_connection_that_was_served_goes_first() throws IOException {
        try (Proxy proxy = proxy(1, 3, LONG)) {
            RawConnection served = proxy.client("127.0.0.3").send(get("/served/1"));
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send(ANSWER);
            served.readAnswer();
            proxy.client("127.0.0.4").send(get("/0"));
            upstream.readHead();
            for (int number = 1; number <= 2; number++) {
                proxy.client("127.0.0.2").send(get("/new/" + number));
                awaitWaiting(proxy, number);
            }
            served.send(get("/served/2"));
            awaitWaiting(proxy, 3);

            for (String path : List.of("/served/2", "/new/1", "/new/2")) {
                upstream.send(ANSWER);
                assertThat(upstream.readHead()).startsWith("GET " + path + " ");
            }
        }
    }

    @Test
    void is_answered_503_when_too_many_wait() throws IOException {
        try (Proxy proxy = proxy(1, 1, LONG)) {
            first(proxy);
            proxy.client().send(get("/2"));
            awaitWaiting(proxy, 1);

            String refusal = proxy.client().send(get("/3")).readAnswer();

            assertThat(Http.start(refusal)).isEqualTo("HTTP/1.1 503 Service Unavailable");
            assertThat(Http.only(refusal, "Retry-After")).isEqualTo("1");
            assertThat(proxy.dataPlane().refusedRequests()).isEqualTo(1);
        }
    }

    @Test
    void is_answered_503_after_waiting_too_long_and_its_connection_serves_on() throws IOException {
        try (Proxy proxy = proxy(1, 1, Duration.ofMillis(20))) {
            Underway first = first(proxy);
            RawConnection second = proxy.client().send(get("/2"));
            String refusal = second.readAnswer();
            first.answered();
            second.send(get("/3"));
            String forwarded = first.upstream().readHead();
            first.upstream().send(ANSWER);

            assertThat(Http.start(refusal)).isEqualTo("HTTP/1.1 503 Service Unavailable");
            assertThat(forwarded).startsWith("GET /3 ");
            assertThat(Http.start(second.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
            assertThat(proxy.dataPlane().requestsWaiting()).isZero();
        }
    }

    @Test
    void nothing_is_asked_for_a_client_that_leaves_while_it_waits() throws IOException {
        try (Proxy proxy = proxy(1, 1, LONG)) {
            Underway first = first(proxy);
            RawConnection gone = proxy.client().send(get("/gone"));
            awaitWaiting(proxy, 1);
            gone.close();
            until(() -> proxy.dataPlane().requestsWaiting() == 0);
            RawConnection last = proxy.client().send(get("/2"));
            awaitWaiting(proxy, 1);
            first.answered();
            String forwarded = first.upstream().readHead();
            first.upstream().send(ANSWER);

            assertThat(forwarded).startsWith("GET /2 ");
            assertThat(Http.start(last.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void who_waits_is_answered_before_the_gateway_stops() throws Exception {
        try (Proxy proxy = proxy(1, 1, LONG)) {
            Underway first = first(proxy);
            RawConnection second = proxy.client().send(get("/2"));
            awaitWaiting(proxy, 1);
            var stopped = CompletableFuture.supplyAsync(() -> proxy.dataPlane().stop(Duration.ofSeconds(30)));
            first.answered();
            first.upstream().readHead();
            first.upstream().send(ANSWER);

            assertThat(Http.start(second.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
            assertThat(stopped.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void nobody_waits_past_the_end_of_the_drain() throws Exception {
        try (Proxy proxy = proxy(1, 1, LONG)) {
            first(proxy);
            proxy.client().send(get("/2"));
            awaitWaiting(proxy, 1);

            assertThat(proxy.dataPlane().stop(Duration.ofMillis(50))).isFalse();
            assertThat(proxy.dataPlane().requestsWaiting()).isZero();
        }
    }

    /// A request that the upstream has and has not answered yet, with both its connections.
    private record Underway(RawConnection client, RawConnection upstream) {
        String answered() throws IOException {
            upstream.send(ANSWER);
            return client.readAnswer();
        }
    }

    private static Underway first(Proxy proxy) throws IOException {
        RawConnection client = proxy.client().send(get("/1"));
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        return new Underway(client, upstream);
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static void awaitWaiting(Proxy proxy, int requests) {
        until(() -> proxy.dataPlane().requestsWaiting() >= requests);
    }
}
