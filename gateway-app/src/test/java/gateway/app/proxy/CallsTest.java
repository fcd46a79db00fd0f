package gateway.app.proxy;

import static gateway.app.proxy.CallingProxy.PATIENT;
import static gateway.app.proxy.CallingProxy.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.NotedSpan;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.ServerCalls;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What policies call, over real sockets and on the IO thread that serves their requests.
@Timeout(90)
final class CallsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-From: idp\r\n\r\nok";
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n";

    @Test
    void a_plain_thread_is_answered_and_the_connection_is_kept_for_the_next_call() throws Exception {
        try (var proxy = new CallingProxy()) {
            CallRequest request = CallRequest.post("/token?a=b", "application/json", new byte[] {'{', '}'})
                    .with("Connection", "close")
                    .with("Content-Length", "77");
            Future<CallAnswer> first = proxy.begin(request, PATIENT);
            RawConnection server = proxy.server.accept();
            assertThat(server.readHead())
                    .startsWith("POST /token?a=b HTTP/1.1\r\nHost: 127.0.0.1:")
                    .contains("Content-Type: application/json\r\n", "Content-Length: 2\r\n", "User-Agent: gateway\r\n")
                    .doesNotContain("Connection", "Content-Length: 77");
            assertThat(server.read(2)).isEqualTo("{}");
            server.send(OK);

            assertThat(first.get().text()).isEqualTo("ok");
            assertThat(first.get().headers().first("X-From")).contains("idp");

            Future<CallAnswer> second = proxy.begin(CallRequest.post("/", "text/plain", new byte[0]), PATIENT);
            assertThat(server.readHead()).contains("Content-Length: 0\r\n");
            server.send("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n");

            assertThat(second.get().status()).isEqualTo(302);
            assertThat(proxy.server.nobodyElseCalls()).isTrue();
        }
    }

    @Test
    void a_policy_calls_from_its_requests_own_thread() throws Exception {
        try (var proxy = new CallingProxy(CallsTest::asking)) {
            RawConnection client = proxy.proxy().client().send(GET);
            RawConnection server = proxy.server.accept();
            server.readHead();
            server.send(OK);

            assertThat(client.readAnswer()).startsWith("HTTP/1.1 200 ").endsWith("ok");
        }
    }

    @Test
    void a_followup_calls_on_the_way_back() throws Exception {
        try (var proxy = new CallingProxy(CallsTest::askingBack)) {
            RawConnection client = proxy.proxy().client().send(GET);
            RawConnection upstream = proxy.proxy().upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
            RawConnection server = proxy.server.accept();
            server.readHead();
            server.send(OK);

            assertThat(client.readHead()).startsWith("HTTP/1.1 201 ").contains("X-Asked: ok\r\n");
        }
    }

    @Test
    void a_server_that_is_away_is_the_policys_outage() throws Exception {
        try (var proxy = new CallingProxy(CallsTest::asking)) {
            proxy.server.refuse();

            String answer = proxy.proxy().client().send(GET).readAnswer();

            assertThat(answer).startsWith("HTTP/1.1 503 ").contains("dependency-unavailable");
        }
    }

    @Test
    void fifty_requests_call_at_once_on_one_io_thread() throws Exception {
        try (var proxy = new CallingProxy(CallsTest::asking)) {
            List<RawConnection> clients = new ArrayList<>();
            for (int i = 0; i < 50; i++) clients.add(proxy.proxy().client().send(GET));
            List<RawConnection> servers = new ArrayList<>();
            for (int i = 0; i < 50; i++) servers.add(proxy.server.accept());
            for (RawConnection server : servers) server.readHead();

            for (RawConnection server : servers) server.send(OK);

            for (RawConnection client : clients)
                assertThat(client.readAnswer()).startsWith("HTTP/1.1 200 ").endsWith("ok");
        }
    }

    @Test
    void an_io_thread_is_told_that_it_must_not_wait() throws Exception {
        try (var proxy = new CallingProxy()) {
            assertThatThrownBy(() -> proxy.onIoThread(() -> proxy.toServer().send(CallRequest.get("/"), PATIENT, null)))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void a_thread_that_was_interrupted_is_answered_and_stays_interrupted() throws Exception {
        try (var proxy = new CallingProxy()) {
            var answered = new FutureTask<>(() -> {
                Thread.currentThread().interrupt();
                return proxy.toServer()
                                .send(CallRequest.get("/"), PATIENT, null)
                                .text()
                        + Thread.interrupted();
            });
            Thread.ofVirtual().start(answered);
            RawConnection server = proxy.server.accept();
            server.readHead();
            server.send(OK);

            assertThat(answered.get()).isEqualTo("oktrue");
        }
    }

    @Test
    void no_answer_and_half_an_answer_end_with_the_time() throws Exception {
        try (var proxy = new CallingProxy()) {
            var hurried = new CallBounds(Duration.ofMillis(300), 1024);
            Future<CallAnswer> silent = proxy.begin(CallRequest.get("/"), hurried);
            proxy.server.accept().readHead();
            assertThat(reason(silent)).isEqualTo("timeout");

            Future<CallAnswer> half = proxy.begin(CallRequest.get("/"), hurried);
            RawConnection server = proxy.server.accept();
            server.readHead();
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
            assertThat(reason(half)).isEqualTo("timeout");
        }
    }

    @Test
    void nobody_there_a_reset_and_an_early_end_are_told_apart() throws Exception {
        try (var proxy = new CallingProxy()) {
            Future<CallAnswer> reset = proxy.begin();
            RawConnection server = proxy.server.accept();
            server.readHead();
            server.reset();
            assertThat(reason(reset)).isEqualTo("reset");

            Future<CallAnswer> closed = proxy.begin();
            server = proxy.server.accept();
            server.readHead();
            server.close();
            assertThat(reason(closed)).isEqualTo("closed");

            Future<CallAnswer> cut = proxy.begin();
            server = proxy.server.accept();
            server.readHead();
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").close();
            assertThat(reason(cut)).isEqualTo("broken");

            proxy.server.refuse();
            assertThat(reason(proxy.begin())).isEqualTo("refused");
        }
    }

    @Test
    void what_is_no_http_is_malformed_in_head_and_body() throws Exception {
        try (var proxy = new CallingProxy()) {
            for (String wrong : List.of(
                    "HTP/1.1 200 OK\r\n\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n")) {
                Future<CallAnswer> call = proxy.begin();
                RawConnection server = proxy.server.accept();
                server.readHead();
                server.send(wrong);

                assertThat(reason(call)).as(wrong).isEqualTo("malformed");
            }
        }
    }

    @Test
    void an_answer_that_outgrows_its_bound_is_too_large_and_costs_its_connection() throws Exception {
        try (var proxy = new CallingProxy()) {
            for (String large : List.of(
                    "HTTP/1.1 200 OK\r\nContent-Length: 1025\r\n\r\n",
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n401\r\n" + "x".repeat(0x401) + "\r\n")) {
                Future<CallAnswer> call = proxy.begin();
                RawConnection server = proxy.server.accept();
                server.readHead();
                server.send(large);

                assertThat(reason(call)).as(large).isEqualTo("too-large");
                assertThat(server.isClosedByPeer()).isTrue();
            }
        }
    }

    @Test
    void an_address_that_may_not_be_called_is_refused_under_its_pointer() throws Exception {
        try (var proxy = new CallingProxy()) {
            assertThatThrownBy(() -> proxy.to("http://169.254.169.254/latest"))
                    .isInstanceOfSatisfying(InvalidConfigException.class, refused -> {
                        assertThat(refused.problems().getFirst().pointer()).isEqualTo("/target/url");
                    });
        }
    }

    @Test
    void a_name_is_judged_by_its_address_each_time_it_is_asked_for() throws Exception {
        try (var proxy = new CallingProxy()) {
            int port = URI.create(proxy.server.url()).getPort();
            proxy.names.set("metadata.example", "169.254.169.254");
            assertThat(reason(proxy.to("http://metadata.example:" + port))).isEqualTo("forbidden");
            assertThat(reason(proxy.to("http://nobody.example:" + port))).isEqualTo("name-unknown");

            proxy.names.set("rebound.example", "127.0.0.1");
            ServerCalls rebound = proxy.to("http://rebound.example:" + port);
            var first = new FutureTask<>(() -> reason(rebound));
            Thread.ofVirtual().start(first);
            RawConnection server = proxy.server.accept();
            server.readHead();
            server.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            assertThat(first.get()).isEqualTo("answered 200");

            proxy.names.set("rebound.example", "169.254.169.254");
            proxy.ticks.addAndGet(Duration.ofMinutes(2).toNanos());
            var second = new FutureTask<>(() -> reason(rebound));
            Thread.ofVirtual().start(second);
            server = proxy.server.accept(); // where the name led last that may be called, never where it leads now
            server.readHead();
            server.send(OK);
            assertThat(second.get()).isEqualTo("answered 200");
        }
    }

    @Test
    void a_breaker_opens_for_one_server_and_closes_again() throws Exception {
        try (var proxy = new CallingProxy();
                var other = new RawUpstream()) {
            String dead = other.url();
            other.refuse();
            for (int i = 0; i < 10; i++) assertThat(reason(proxy.to(dead))).isEqualTo("refused");

            assertThat(reason(proxy.to(dead))).isEqualTo("breaker-open");
            assertThat(proxy.calls.away()).containsExactly(dead);
            assertThat(reason(proxy.to(dead + "/elsewhere"))).isEqualTo("refused"); // another target

            for (int i = 0; i < 10; i++) {
                Future<CallAnswer> failing = proxy.begin();
                RawConnection server = proxy.server.accept();
                server.readHead();
                server.send("HTTP/1.1 500 Oops\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
                assertThat(reason(failing)).isEqualTo("answered 500");
            }
            assertThat(reason(proxy.begin())).isEqualTo("breaker-open");
            proxy.ticks.addAndGet(Duration.ofSeconds(6).toNanos());
            for (int i = 0; i < 3; i++) { // two that try, and one like any other
                Future<CallAnswer> trying = proxy.begin();
                RawConnection server = proxy.server.accept();
                server.readHead();
                server.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
                assertThat(reason(trying)).isEqualTo("answered 200");
            }
        }
    }

    @Test
    void what_is_under_way_ends_when_all_stops_and_nothing_begins_any_more() throws Exception {
        try (var proxy = new CallingProxy()) {
            Future<CallAnswer> waiting = proxy.begin();
            proxy.server.accept().readHead();

            proxy.calls.stop();

            assertThat(reason(waiting)).isEqualTo("unavailable");
            assertThat(reason(proxy.begin())).isEqualTo("unavailable");
        }
    }

    @Test
    void a_call_is_a_stretch_of_what_asks_and_counted_by_server_and_result() throws Exception {
        try (var proxy = new CallingProxy()) {
            var span = new NotedSpan("policy");
            var call = new FutureTask<>(() ->
                    proxy.toServer().send(CallRequest.get("/"), PATIENT, span).status());
            Thread.ofVirtual().start(call);
            RawConnection server = proxy.server.accept();
            assertThat(server.readHead()).contains("traceparent: 00-0af7651916cd43dd8448eb211c80319c-");
            server.send(OK);
            assertThat(call.get()).isEqualTo(200);
            proxy.server.refuse();
            server.close();
            assertThatThrownBy(() -> proxy.to(proxy.server.url() + "/again").send(CallRequest.get("/"), PATIENT, span))
                    .hasMessageContaining("no connection");

            assertThat(span.notes())
                    .contains(
                            "policy > GET: begin CLIENT",
                            "policy > GET: server.address=127.0.0.1",
                            "policy > GET: http.response.status_code=200",
                            "policy > GET: fail refused")
                    .endsWith("policy > GET: end");
            proxy.calls.refresh();
            for (String result : List.of("2xx", "refused")) {
                assertThat(proxy.meters
                                .get("gateway.calls")
                                .tags("server", proxy.server.url(), "result", result)
                                .functionCounter()
                                .count())
                        .isEqualTo(1);
            }
            assertThat(proxy.meters
                            .get("gateway.calls.duration")
                            .tag("server", proxy.server.url())
                            .timer()
                            .count())
                    .isEqualTo(2);
        }
    }

    /// Answers with what the server says.
    private static Policy[] asking(CallingProxy proxy) {
        return new Policy[] {
            exchange -> {
                CallAnswer answer = proxy.toServer().send(CallRequest.get("/"), PATIENT, exchange.span());
                return Verdict.answer(Response.of(200, "text/plain", answer.bytes()));
            }
        };
    }

    /// Adds what the server says to the answer.
    private static Policy[] askingBack(CallingProxy proxy) {
        return new Policy[] {
            exchange -> Verdict.proceed(new Followup() {
                @Override
                public Response onResponse(Response response) {
                    CallAnswer answer = proxy.toServer().send(CallRequest.get("/"), PATIENT, exchange.span());
                    return response.with("X-Asked", answer.text());
                }
            })
        };
    }
}
