package gateway.app.proxy;

import static gateway.Eventually.until;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Problem;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.memory.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A client that has many requests begun and does not get on with any, at the places of W1: others are served.
final class SlowCrowdTest {
    private static final int CONNECTIONS = 5;
    private static final int STREAMS = 128;
    private static final int POSTS = 620;
    private static final int INITIAL_WINDOW = 4;
    private static final long PURSE = 64 * 1024; // that an IO thread keeps at hand
    private static final String OTHER = "127.0.0.2";
    private static final String GET = "GET /5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    private static final String HALF_CHUNKS = "Transfer-Encoding: chunked\r\n\r\n10\r\nhalf";

    private final List<RawConnection> crowd = new ArrayList<>();
    private final SizedUpstream upstream = new SizedUpstream();
    private Http2Gateway gateway;

    SlowCrowdTest() throws IOException {}

    private void start(Policy... policies) throws IOException {
        start(Integer.MAX_VALUE, policies);
    }

    private void start(int mostAway, Policy... policies) throws IOException {
        gateway = Http2Gateway.inFrontOf(
                upstream.definition(),
                plane -> plane.withMaxInFlight(256)
                        .withMaxAway(mostAway)
                        .withWaiting(new WaitingLimits(1024, Duration.ofSeconds(20)))
                        .withRequestsPerClient(640)
                        .withLeastRates(LeastRates.of(0, 0)),
                policies);
    }

    @AfterEach
    void stop() throws Exception {
        for (RawConnection each : crowd) each.close();
        gateway.close();
        upstream.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 1_000_000})
    void streams_whose_windows_are_shut_keep_no_place(int size) throws Exception {
        start();
        shutWindows(size);

        until(() -> upstream.begun() >= 256);
        assertThat(other()).startsWith("HTTP/1.1 200 OK");
        until(() -> plane().requestsAwaitingClients() == CONNECTIONS * STREAMS);
        until(() -> plane().requestsInFlight() == 0);

        leave();
        assertNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1000\r\n\r\nhalf",
                "Content-Length: 100000\r\n\r\nhalf",
                "Transfer-Encoding: chunked\r\n\r\n10\r\nhalf"
            })
    void requests_that_do_not_come_whole_keep_no_place(String half) throws Exception {
        start();
        halfSend(half);

        assertThat(other()).startsWith("HTTP/1.1 200 OK");
        until(() -> plane().requestsAwaitingClients() == POSTS);

        leave();
        assertNothingHeld();
    }

    @Test
    void requests_that_come_whole_after_all_have_waited_hold_no_more_connections_than_may() throws Exception {
        start(10);
        halfSend("Content-Length: 8\r\n\r\nhalf");
        until(() -> plane().requestsInFlight() == 0);
        for (RawConnection each : crowd) each.send("half");

        until(() -> upstream.begun() > 0 && plane().requestsInFlight() == 0);
        assertThat(upstream.begun()).isLessThanOrEqualTo(10);
        assertThat(other()).startsWith("HTTP/1.1 200 OK");
    }

    /// Each of them holds a connection to the upstream, and so an open file.
    @Test
    void one_client_waits_with_no_more_requests_than_leave_as_many_for_others() throws Exception {
        start(40);
        halfSend(HALF_CHUNKS);
        until(() -> upstream.open() == 13 && plane().requestsInFlight() == 0); // 13: less than half of the other 27

        assertThat(crowd.getLast().readAnswer()).startsWith("HTTP/1.1 408 ");
        assertThat(other()).startsWith("HTTP/1.1 200 OK");
        try (RawConnection late = RawConnection.from(OTHER, plane().address())) {
            late.send("POST /5 HTTP/1.1\r\nHost: a\r\n" + HALF_CHUNKS);
            until(() -> upstream.open() == 14);
            assertThat(late.send("ten more now\r\n0\r\n\r\n").readAnswer()).startsWith("HTTP/1.1 200 OK");
        }

        leave();
        assertNothingHeld();
    }

    @Test
    void however_many_clients_there_are_no_more_requests_wait_for_them_than_may() throws Exception {
        start(10);
        for (int client = 2; client < 102; client++) {
            RawConnection each = RawConnection.from("127.0.0." + client, plane().address());
            crowd.add(each);
            each.send("POST /5 HTTP/1.1\r\nHost: a\r\n" + HALF_CHUNKS);
        }
        until(() -> upstream.open() == 10 && plane().requestsInFlight() == 0);

        assertThat(crowd.getLast().readAnswer()).startsWith("HTTP/1.1 408 ");
        assertThat(other()).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void the_rest_of_requests_that_were_answered_keeps_no_place() throws Exception {
        start(
                10,
                exchange -> exchange.method().equals("POST")
                        ? Verdict.stop(Problem.of("no", 401, "No", "").toResponse(exchange.requestId()))
                        : Verdict.proceed());
        halfSend("Content-Length: 1000\r\n\r\nhalf");

        until(() -> plane().requestsAwaitingClients() == POSTS);
        assertThat(other()).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void who_has_as_many_requests_as_one_client_may_is_refused_and_others_are_served() throws Exception {
        start();
        shutWindows(1_000);
        until(() -> plane().requestsAwaitingClients() == CONNECTIONS * STREAMS);

        assertThat(gateway.plain().send(GET).readToEnd())
                .startsWith("HTTP/1.1 503 ")
                .contains("Retry-After: 1");
        assertThat(plane().refusedRequestsOfClients()).isOne();
        assertThat(other()).startsWith("HTTP/1.1 200 OK");

        leave();
        until(() -> plane().requestsAwaitingClients() == 0);
        assertThat(gateway.plain().send(GET).readToEnd()).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void the_gateway_stops_when_those_that_kept_no_place_have_been_answered_too() throws Exception {
        start();
        Http2Wire client = gateway.wire();
        client.frame(Http2Wire.SETTINGS, 0, 0, setting(INITIAL_WINDOW, 0)).get(1, "/1000");
        until(() -> plane().requestsAwaitingClients() == 1);
        var stopped = CompletableFuture.supplyAsync(() -> plane().stop(Duration.ofSeconds(20)));
        client.next(Http2Wire.GOAWAY);
        assertThat(stopped).isNotDone();
        client.frame(Http2Wire.WINDOW_UPDATE, 0, 1, number(1000));

        assertThat(client.next(Http2Wire.DATA).payload()).hasSize(1000);
        assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
    }

    private DataPlane plane() {
        return gateway.dataPlane();
    }

    private void shutWindows(int size) throws IOException {
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            Http2Wire client = gateway.wire();
            crowd.add(client.connection());
            client.frame(Http2Wire.SETTINGS, 0, 0, setting(INITIAL_WINDOW, 0));
            for (int stream = 0; stream < STREAMS; stream++) client.get(2 * stream + 1, "/" + size);
        }
    }

    private void halfSend(String half) throws IOException {
        for (int post = 0; post < POSTS; post++) {
            RawConnection client = gateway.plain();
            crowd.add(client);
            client.send("POST /5 HTTP/1.1\r\nHost: a\r\n" + half);
        }
    }

    /// What another client is answered, who comes last.
    private String other() throws IOException {
        try (RawConnection client = RawConnection.from(OTHER, plane().address())) {
            return client.send(GET).readToEnd();
        }
    }

    private void leave() throws IOException {
        for (RawConnection each : crowd) each.close();
    }

    private void assertNothingHeld() {
        until(() -> plane().admission.isIdle());
        until(() -> plane().admission.clients() == 0);
        until(() -> plane().memory().of(Kind.BODIES).taken() <= PURSE);
    }
}
