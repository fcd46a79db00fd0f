package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.log.CapturedLog;
import gateway.http.Body;
import gateway.http.Headers;
import gateway.http.Outcome;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the gateway writes for a response: its head, its framing, and what becomes of the connection.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class AnswerTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @Parameter
    RequestThreadMode mode;

    private Proxy answering(UnaryOperator<Response> change) throws IOException {
        Policy policy = exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return change.apply(response);
            }
        });
        return Proxy.in(mode).policies(policy).start();
    }

    private static RawConnection answered(Proxy proxy, String request, String answer) throws IOException {
        RawConnection client = proxy.client().send(request);
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send(answer);
        return client;
    }

    @Test
    void head_holds_what_the_upstream_sent_and_a_date_and_an_id_and_frames_once() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = answered(
                    proxy,
                    GET,
                    "HTTP/1.1 404 Nothing\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nno");
            String answer = client.readAnswer();

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 404 Not Found");
            assertThat(Http.all(answer, "Set-Cookie")).containsExactly("a=1", "b=2");
            assertThat(Http.only(answer, "Date")).endsWith(" GMT");
            assertThat(Http.only(answer, "X-Request-Id")).hasSize(32);
            assertThat(Http.only(answer, "Content-Length")).isEqualTo("2");
            assertThat(Http.all(answer, "Connection")).isEmpty();
            assertThat(Http.body(answer)).isEqualTo("no");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "201 Created",
                "421 Misdirected Request",
                "425 Too Early",
                "451 Unavailable For Legal Reasons",
                "599 Unknown"
            })
    void a_status_has_its_registered_words_whatever_the_upstream_says(String status) throws IOException {
        String number = status.substring(0, 3);
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client =
                    answered(proxy, GET, "HTTP/1.1 " + number + " Whatever\r\nContent-Length: 2\r\n\r\nno");

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 " + status);
        }
    }

    @Test
    void words_are_those_of_the_status_that_a_policy_has_made_of_another() throws IOException {
        try (Proxy proxy = answering(response -> Response.of(425))) {
            assertThat(Http.start(answered(proxy, GET, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                            .readAnswer()))
                    .isEqualTo("HTTP/1.1 425 Too Early");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4_095, 4_096, 15_900, 16_384, 100_000})
    void content_of_any_length_follows_its_head_and_the_connection_stays(int length) throws IOException {
        String content = "x".repeat(length);
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client().send(GET);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + content);
            String first = client.readAnswer();
            client.send(GET);
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(Http.body(first)).isEqualTo(content);
            assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
        }
    }

    @Test
    void a_head_larger_than_a_buffer_is_sent_whole() throws IOException {
        String large = "v".repeat(8_000);
        UnaryOperator<Response> swelling =
                response -> response.with("X-A", large).with("X-B", large).with("X-C", large);
        try (Proxy proxy = answering(swelling)) {
            RawConnection client = answered(proxy, GET, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            String answer = client.readAnswer();

            assertThat(Http.only(answer, "X-C")).isEqualTo(large);
            assertThat(Http.body(answer)).isEqualTo("ok");
        }
    }

    @Test
    void a_policy_cannot_frame_the_message_otherwise_than_its_content_is() throws IOException {
        UnaryOperator<Response> lying =
                response -> response.with("Content-Length", "1").with("Transfer-Encoding", "chunked");
        try (Proxy proxy = answering(lying)) {
            RawConnection client = answered(proxy, GET, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
            String answer = client.readAnswer();

            assertThat(Http.all(answer, "Transfer-Encoding")).isEmpty();
            assertThat(Http.body(answer)).isEqualTo("hello");
        }
    }

    @Test
    void a_policy_can_have_the_connection_closed_after_the_answer() throws IOException {
        try (Proxy proxy = answering(response -> response.with("Connection", "close"))) {
            RawConnection client = answered(proxy, GET, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            String answer = client.readAnswer();

            assertThat(Http.only(answer, "Connection")).isEqualTo("close");
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
            })
    void content_that_a_followup_has_read_is_sent_on(String sent) throws Exception {
        var read = new CompletableFuture<String>();
        UnaryOperator<Response> reading = response -> {
            read.complete(new String(response.body().bytes(100), StandardCharsets.ISO_8859_1));
            return response;
        };
        try (Proxy proxy = answering(reading)) {
            RawConnection client = answered(proxy, GET, sent);

            assertThat(Http.body(client.readAnswer())).isEqualTo("hello");
            assertThat(read.get(5, TimeUnit.SECONDS)).isEqualTo("hello");
        }
    }

    @Test
    void a_followup_that_reads_content_is_told_when_the_client_leaves() throws Exception {
        var reading = new CountDownLatch(1);
        var thrown = new CompletableFuture<Throwable>();
        UnaryOperator<Response> gathering = response -> {
            try {
                reading.countDown();
                return response.withBody(Body.of(response.body().bytes(1000)));
            } catch (Throwable e) {
                thrown.complete(e);
                throw e;
            }
        };
        try (Proxy proxy = answering(gathering)) {
            RawConnection client = answered(proxy, GET, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello");
            assertThat(reading.await(5, TimeUnit.SECONDS)).isTrue();

            client.close();

            assertThat(thrown.get(20, TimeUnit.SECONDS)).hasMessage("the upstream broke off");
            assertThat(proxy.dataPlane().stop(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void an_answer_that_is_too_large_for_a_followup_is_502_and_the_next_request_is_served() throws IOException {
        try (Proxy proxy =
                answering(response -> response.withBody(Body.of(response.body().bytes(4))))) {
            RawConnection client = answered(proxy, GET, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
            String refused = client.readAnswer();
            RawConnection next = answered(proxy, GET, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfits");

            assertThat(Http.start(refused)).isEqualTo("HTTP/1.1 502 Bad Gateway");
            assertThat(Http.body(refused)).contains("urn:gateway:problem:response-refused");
            assertThat(Http.body(next.readAnswer())).isEqualTo("fits");
        }
    }

    @Test
    void an_error_while_an_answer_is_written_closes_the_connection_and_ends_the_request() throws Exception {
        var ended = new CompletableFuture<Outcome>();
        Policy noting = exchange -> Verdict.proceed(new Followup() {
            @Override
            public void onEnd(Outcome outcome) {
                ended.complete(outcome);
            }
        });
        Policy broken = exchange -> Verdict.stop(new Response(200, unreadable(), Body.EMPTY));
        try (Proxy proxy = Proxy.in(mode).policies(noting, broken).start()) {
            RawConnection client = proxy.client().send(GET);

            assertThat(client.isClosedByPeer()).isTrue();
            assertThat(ended.get(5, TimeUnit.SECONDS).ending()).isEqualTo(Outcome.Ending.GATEWAY_FAILED);
            assertThat(proxy.dataPlane().failedRequests()).isEqualTo(1);
            assertThat(proxy.dataPlane().stop(Duration.ofSeconds(5))).isTrue();
        }
    }

    /// Headers that throw an Error whatever is asked.
    private static Headers unreadable() {
        return (Headers) java.lang.reflect.Proxy.newProxyInstance(
                AnswerTest.class.getClassLoader(), new Class<?>[] {Headers.class}, (headers, method, arguments) -> {
                    throw new StackOverflowError("as the test wants it");
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_breaks_in_a_policy_goes_back_through_those_around_it_and_is_logged_by_name(boolean wayBack)
            throws IOException {
        Policy outer = exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return response.with("X-Outer", "seen " + response.status());
            }
        });
        Policy broken = exchange -> {
            if (!wayBack) throw new StackOverflowError("as the test wants it");
            return Verdict.proceed(new Followup() {
                @Override
                public Response onResponse(Response response) {
                    throw new IllegalStateException("as the test wants it");
                }
            });
        };
        try (var log = new CapturedLog();
                Proxy proxy = Proxy.in(mode).policies(outer, broken).start()) {
            RawConnection client = proxy.client().send(GET);
            if (wayBack) {
                RawConnection upstream = proxy.upstream().accept();
                upstream.readHead();
                upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
            String answer = client.readAnswer();

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 500 Internal Server Error");
            assertThat(Http.all(answer, "X-Outer")).containsExactly("seen 500");
            assertThat(proxy.dataPlane().failedRequests()).isEqualTo(1);
            assertThat(log.text()).contains("ERROR ErrorBoundary - policy test of API orders failed");
        }
    }

    @Test
    void an_error_in_a_policy_is_answered_with_500() throws IOException {
        Policy broken = exchange -> {
            throw new StackOverflowError("as the test wants it");
        };
        try (Proxy proxy = Proxy.in(mode).policies(broken).start()) {
            RawConnection client = proxy.client().send(GET);

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 500 Internal Server Error");
        }
    }
}
