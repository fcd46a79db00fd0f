package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Outcome;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xnio.XnioIoThread;

/// What happens when one side goes away, is too slow or sends too much.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class BreakageTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(60);

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
        Outcome outcome = outcomes.poll(5, TimeUnit.SECONDS);
        assertThat(outcome).isNotNull();
        return outcome.ending();
    }

    @Test
    void tells_policies_once_how_a_request_ended() throws Exception {
        try (Proxy proxy = Proxy.in(mode).policies(noting).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok");
            client.readAnswer();
            Outcome outcome = outcomes.poll(5, TimeUnit.SECONDS);

            assertThat(outcome.status()).isEqualTo(202);
            assertThat(outcome.ending()).isEqualTo(Outcome.Ending.COMPLETE);
            assertThat(outcome.upstreamNanos()).isBetween(1L, outcome.totalNanos());
            assertThat(outcomes).isEmpty();
            assertThat(proxy.dataPlane().stop(Duration.ofSeconds(5))).isTrue();
            assertThat(proxy.dataPlane().requestsInFlight()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancels_the_upstream_request_when_the_client_goes(boolean reset) throws Exception {
        try (Proxy proxy = Proxy.in(mode).policies(noting).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            if (reset) client.reset();
            else client.close();

            assertThat(upstream.isClosedByPeer()).isTrue();
            assertThat(ending()).isEqualTo(Outcome.Ending.CLIENT_GONE);
            assertThat(proxy.dataPlane().failedRequests()).isZero();
            assertThat(proxy.dataPlane().stop(Duration.ofSeconds(5))).isTrue();
            assertThat(proxy.dataPlane().requestsInFlight()).isZero();
        }
    }

    @Test
    void cancels_the_upstream_request_when_the_client_goes_in_its_upload() throws Exception {
        try (Proxy proxy = Proxy.in(mode).policies(noting).start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhello");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            client.close();

            assertThat(upstream.isClosedByPeer()).isTrue();
            assertThat(ending()).isEqualTo(Outcome.Ending.CLIENT_GONE);
        }
    }

    @Test
    void cancels_the_upstream_request_when_the_client_goes_in_its_download() throws Exception {
        try (Proxy proxy = Proxy.in(mode).policies(noting).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
            client.readUntil("hello");
            client.close();

            assertThat(upstream.isClosedByPeer()).isTrue();
            assertThat(ending()).isEqualTo(Outcome.Ending.CLIENT_GONE);
        }
    }

    @Test
    void a_request_whose_client_goes_in_its_download_ends_on_the_io_thread() throws Exception {
        var threads = new LinkedBlockingQueue<Thread>();
        Policy where = _ -> Verdict.proceed(new Followup() {
            @Override
            public void onEnd(Outcome outcome) {
                threads.add(Thread.currentThread());
            }
        });
        try (Proxy proxy = Proxy.in(mode).policies(where).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
            client.readUntil("hello");
            client.close();

            assertThat(threads.poll(5, TimeUnit.SECONDS)).isInstanceOf(XnioIoThread.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"})
    void never_ends_an_answer_as_complete_that_the_upstream_broke_off(String begun) throws Exception {
        try (Proxy proxy = Proxy.in(mode).policies(noting).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\n" + begun);
            client.readUntil("hello");
            upstream.close();

            assertThat(client.isClosedByPeer()).isTrue();
            assertThat(ending()).isEqualTo(Outcome.Ending.UPSTREAM_BROKE_OFF);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100", "Transfer-Encoding: chunked", "X-Until: close"})
    void breaks_off_when_the_upstream_goes_in_its_answer_while_the_client_uploads(String framing) throws Exception {
        try (Proxy proxy = Proxy.in(mode).policies(noting).start()) {
            RawConnection client = proxy.client()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n" + "x".repeat(1000));
            RawConnection upstream = proxy.upstream().accept();
            upstream.readUntil("xxxx");
            upstream.send("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n5\r\nhello\r\n");
            client.readUntil("hello");
            try (Upload upload = Upload.to(client, 1_000_000)) {
                upload.awaitEnough();
                upstream.reset();

                assertThat(client.isClosedByPeer()).isTrue();
                assertThat(ending()).isEqualTo(Outcome.Ending.UPSTREAM_BROKE_OFF);
                assertThat(proxy.dataPlane().stop(Duration.ofSeconds(5))).isTrue();
                assertThat(proxy.dataPlane().requestsInFlight()).isZero();
            }
        }
    }

    @Test
    void answers_502_when_the_upstream_closes_before_its_answer() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            proxy.upstream().accept().close();

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
        }
    }

    @Test
    void answers_502_when_nobody_listens() throws IOException {
        RawUpstream gone = new RawUpstream();
        gone.close();
        try (Proxy proxy = Proxy.in(mode).targets(gone.url()).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 502 Bad Gateway");
        }
    }

    @Test
    void reaches_an_upstream_by_name_and_answers_502_to_an_unknown_one() throws IOException {
        try (RawUpstream named = new RawUpstream();
                Proxy proxy = Proxy.in(mode)
                        .targets(named.url().replace("127.0.0.1", "localhost"), "http://no-such-host.invalid:80")
                        .start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = named.accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            String found = client.readAnswer();
            String unknown = client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readAnswer();

            assertThat(Http.start(found)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(Http.start(unknown)).isEqualTo("HTTP/1.1 502 Bad Gateway");
        }
    }

    @Test
    void answers_504_to_a_silent_upstream() throws IOException {
        try (Proxy proxy = Proxy.in(mode).timeouts(LONG, SHORT, LONG).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 504 Gateway Time-out");
            assertThat(upstream.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void answers_408_and_closes_when_the_client_does_not_send_the_rest() throws IOException {
        try (Proxy proxy = Proxy.in(mode).timeouts(LONG, LONG, SHORT).start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();

            String answer = client.readAnswer();
            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 408 Request Time-out");
            assertThat(answer).contains("Connection: close").contains("request-timeout");
            assertThat(upstream.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void answers_504_when_no_connection_comes_about() throws IOException {
        try (FullBacklog full = new FullBacklog();
                Proxy proxy = Proxy.in(mode)
                        .targets(full.url())
                        .timeouts(SHORT, LONG, LONG)
                        .start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 504 Gateway Time-out");
        }
    }

    @Test
    void breaks_off_a_body_that_takes_longer_than_the_whole_exchange_may() throws Exception {
        try (Proxy proxy =
                Proxy.in(mode).policies(noting).timeouts(LONG, LONG, SHORT).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");

            assertThat(client.isClosedByPeer()).isTrue();
            assertThat(ending()).isEqualTo(Outcome.Ending.UPSTREAM_BROKE_OFF);
        }
    }

    @Test
    void answers_504_when_the_time_for_the_exchange_ends_before_anything_of_the_answer_left() throws Exception {
        var late = new CountDownLatch(1);
        Policy slow = _ -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                try {
                    late.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return response;
            }
        });
        try (Proxy proxy =
                Proxy.in(mode).policies(slow).timeouts(LONG, LONG, SHORT).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
            assertThat(upstream.isClosedByPeer()).isTrue();
            late.countDown();

            String answer = client.readAnswer();
            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 504 Gateway Time-out");
            assertThat(answer).contains("upstream-timeout");
        }
    }

    @Test
    void refuses_a_declared_body_that_is_too_large_before_asking_the_upstream() throws IOException {
        try (Proxy proxy = Proxy.in(mode).maxBody(10).start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nhello world");
            String answer = client.readAnswer();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello worl");

            assertThat(Http.start(answer)).startsWith("HTTP/1.1 413 ");
            assertThat(Http.only(proxy.upstream().accept().readHead(), "Content-Length"))
                    .isEqualTo("10");
        }
    }

    @Test
    void a_client_that_sends_all_of_a_too_large_body_before_it_reads_still_gets_its_413() throws IOException {
        int length = 24 * 1024 * 1024; // more than the sockets' buffers hold
        try (Proxy proxy = Proxy.in(mode).maxBody(10).start()) {
            RawConnection client =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
            client.send(new byte[length]);

            assertThat(Http.start(client.readAnswer())).startsWith("HTTP/1.1 413 ");
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void refuses_a_chunked_body_once_it_is_too_large() throws IOException {
        try (Proxy proxy = Proxy.in(mode).maxBody(10).start()) {
            RawConnection client = proxy.client()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readUntil("hello");
            client.send("6\r\n world\r\n");

            assertThat(Http.start(client.readAnswer())).startsWith("HTTP/1.1 413 ");
            assertThat(upstream.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void answers_500_with_the_request_id_when_a_policy_throws_and_goes_on() throws IOException {
        Policy broken = exchange -> {
            if (exchange.path().equals("/broken")) throw new IllegalStateException("as the test wants it");
            return Verdict.proceed();
        };
        try (Proxy proxy = Proxy.in(mode).policies(broken).start()) {
            RawConnection client = proxy.client().send("GET /broken HTTP/1.1\r\nHost: a\r\n\r\n");
            String answer = client.readAnswer();
            client.send("GET /fine HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 500 Internal Server Error");
            assertThat(Http.body(answer))
                    .contains(Http.only(answer, "X-Request-Id"))
                    .doesNotContain("as the test");
            assertThat(proxy.dataPlane().failedRequests()).isEqualTo(1);
            assertThat(Http.start(proxy.upstream().accept().readHead())).isEqualTo("GET /fine HTTP/1.1");
        }
    }
}
