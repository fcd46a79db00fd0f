package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.Http;
import gateway.app.proxy.RawConnection;
import gateway.http.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The admin plane's listener over raw sockets, in front of a handler that admits who says `Authorization: yes`.
final class AdminListenerTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String CHUNKED =
            "POST / HTTP/1.1\r\nHost: a\r\nAuthorization: yes\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final CountDownLatch asked = new CountDownLatch(1);
    private final AdminHandler handler = new AdminHandler() {
        @Override
        public boolean admits(AdminRequest head) {
            asked.countDown();
            return head.headers().first("Authorization").isPresent();
        }

        @Override
        public Response handle(AdminRequest request) {
            int length = request.body().bytes(MAX_BODY_BYTES).length;
            byte[] content = (length + " bytes").getBytes(StandardCharsets.US_ASCII);
            return Response.of(admits(request) ? 200 : 401, "text/plain", content);
        }
    };

    @Test
    void refuses_from_the_head_without_waiting_for_the_body() throws IOException {
        try (AdminListener listener = listener(1, 8, LONG);
                RawConnection stranger = RawConnection.to(listener.address())) {
            String answer = stranger.send(head("4194304", "")).readAnswer();

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 401 Unauthorized");
            assertThat(Http.only(answer, "Connection")).isEqualTo("close");
        }
    }

    /// More than the sockets' buffers hold: closed at once, the reset would take the answer with it.
    @ParameterizedTest
    @CsvSource({"Authorization: yes, 413 Request Entity Too Large", "X-Nobody: yes, 401 Unauthorized"})
    void a_client_that_sends_all_before_it_reads_still_gets_its_refusal(String field, String status) throws Exception {
        int length = 24 * 1024 * 1024;
        try (AdminListener listener = listener(1, 8, LONG);
                RawConnection client = RawConnection.to(listener.address())) {
            client.send(head(String.valueOf(length), field + "\r\n")).send(new byte[length]);

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 " + status);
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void keeps_no_place_for_the_bodies_of_strangers() throws IOException {
        try (AdminListener listener = listener(1, 8, LONG);
                RawConnection stranger = RawConnection.to(listener.address());
                RawConnection owner = RawConnection.to(listener.address())) {
            stranger.send(head("4194304", "")).readAnswer();
            stranger.send("x".repeat(100_000));

            assertThat(Http.body(owner.send(head("2", "Authorization: yes\r\n") + "ok")
                            .readAnswer()))
                    .isEqualTo("2 bytes");
        }
    }

    @Test
    void answers_503_past_the_most_bodies_and_serves_again_after() throws Exception {
        try (AdminListener listener = listener(1, 8, LONG);
                RawConnection first = RawConnection.to(listener.address());
                RawConnection second = RawConnection.to(listener.address());
                RawConnection third = RawConnection.to(listener.address())) {
            String request = head("2", "Authorization: yes\r\n");
            first.send(request + "o");
            asked.await(); // the listener has one IO thread: who asks next comes after
            String refusal = third.send(request + "ok").readAnswer();
            String reading = second.send(head("0", "")).readAnswer();
            first.send("k");

            assertThat(Http.only(refusal, "Retry-After")).isEqualTo("1");
            assertThat(Http.start(reading))
                    .as("a request without a body needs no place")
                    .isEqualTo("HTTP/1.1 401 Unauthorized");
            assertThat(Http.body(first.readAnswer())).isEqualTo("2 bytes");
            assertThat(Http.body(onceFree(listener, request + "ok"))).isEqualTo("2 bytes");
        }
    }

    @Test
    void closes_a_connection_whose_body_does_not_end_in_time() throws IOException {
        try (AdminListener listener = listener(1, 8, Duration.ofMillis(200));
                RawConnection slow = RawConnection.to(listener.address());
                RawConnection next = RawConnection.to(listener.address())) {
            slow.send(head("2", "Authorization: yes\r\n") + "o");

            assertThat(slow.isClosedByPeer()).isTrue();
            assertThat(Http.body(next.send(head("2", "Authorization: yes\r\n") + "ok")
                            .readAnswer()))
                    .isEqualTo("2 bytes");
        }
    }

    /// Whoever sends it: what cannot be read for sure is nobody's request.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: xchunked\r\n\r\n",
                "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\nok",
                "Content-Length: 2\r\nContent-Length: 3\r\n\r\nok",
                "Content-Length: +2\r\n\r\nok",
                "X-Long: a\r\n b\r\nContent-Length: 0\r\n\r\n",
                "X-Name : a\r\nContent-Length: 0\r\n\r\n",
                "Host: b\r\nContent-Length: 0\r\n\r\n",
                "X-Name: a\nContent-Length: 0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                "Transfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n"
            })
    void malformed_framing_is_answered_400_and_the_connection_closed(String rest) throws IOException {
        try (AdminListener listener = listener(1, 8, LONG);
                RawConnection client = RawConnection.to(listener.address())) {
            String answer = client.send("POST / HTTP/1.1\r\nHost: a\r\nAuthorization: yes\r\n" + rest)
                    .readAnswer();

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 400 Bad Request");
            assertThat(Http.only(answer, "Connection")).isEqualTo("close");
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void a_chunk_that_breaks_after_the_first_is_answered_400() throws IOException {
        try (AdminListener listener = listener(1, 8, LONG);
                RawConnection client = RawConnection.to(listener.address())) {
            client.send(CHUNKED).send("2\r\nok\r\n");
            String answer = client.send("zz\r\n").readAnswer();

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 400 Bad Request");
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void a_chunked_body_and_the_request_after_it_are_answered() throws IOException {
        try (AdminListener listener = listener(1, 8, LONG);
                RawConnection client = RawConnection.to(listener.address())) {
            String request = CHUNKED + "2\r\nok\r\n0\r\n\r\n";
            client.send(request + request);

            assertThat(Http.body(client.readAnswer())).isEqualTo("2 bytes");
            assertThat(Http.body(client.readAnswer())).isEqualTo("2 bytes");
        }
    }

    @Test
    void a_connection_past_the_most_takes_the_place_of_a_silent_one() throws IOException {
        try (AdminListener listener = listener(1, 1, LONG);
                RawConnection silent = RawConnection.to(listener.address());
                RawConnection next = RawConnection.to(listener.address())) {
            String answer = next.send(head("0", "")).readAnswer();

            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 401 Unauthorized");
            assertThat(silent.isClosedByPeer()).isTrue();
        }
    }

    /// The listener's only IO thread is kept while they come, so that it takes many of them in one turn.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void many_silent_connections_that_come_at_once_keep_nobody_out(boolean refusedBefore) throws Exception {
        var kept = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        List<RawConnection> silent = new ArrayList<>();
        try (AdminListener listener =
                        AdminListener.start("127.0.0.1", 0, keeping(kept, over), new AdminLimits(1, 8, LONG));
                RawConnection keeper = RawConnection.to(listener.address())) {
            for (int i = 0; i < (refusedBefore ? 7 : 0); i++) {
                silent.add(RawConnection.to(listener.address()));
                assertThat(Http.start(silent.getLast().send(head("0", "")).readAnswer()))
                        .isEqualTo("HTTP/1.1 401 Unauthorized");
            }
            keeper.send(head("1", ""));
            kept.await();
            for (int i = 0; i < 40; i++) silent.add(RawConnection.to(listener.address()));
            over.countDown();

            for (int i = 0; i < 3; i++) {
                try (RawConnection next = RawConnection.to(listener.address())) {
                    next.socket().setSoTimeout(5_000); // far less than the silent have
                    assertThat(Http.start(next.send(head("0", "")).readAnswer()))
                            .isEqualTo("HTTP/1.1 401 Unauthorized");
                }
            }
        } finally {
            for (RawConnection each : silent) each.close();
        }
    }

    /// Asks on the IO thread whether it admits a request with a body, and only then answers.
    private AdminHandler keeping(CountDownLatch kept, CountDownLatch over) {
        return new AdminHandler() {
            @Override
            public boolean admits(AdminRequest head) {
                kept.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return false;
            }

            @Override
            public Response handle(AdminRequest request) {
                return Response.of(401, "text/plain", new byte[0]);
            }
        };
    }

    private AdminListener listener(int bodies, int connections, Duration patience) {
        return AdminListener.start("127.0.0.1", 0, handler, new AdminLimits(bodies, connections, patience));
    }

    private static String head(String length, String fields) {
        return "POST / HTTP/1.1\r\nHost: a\r\n" + fields + "Content-Length: " + length + "\r\n\r\n";
    }

    /// The first answer that is no refusal: a place is free soon after its answer has left.
    private static String onceFree(AdminListener listener, String request) throws IOException {
        while (true) {
            try (RawConnection client = RawConnection.to(listener.address())) {
                String answer = client.send(request).readAnswer();
                if (!Http.start(answer).contains("503")) return answer;
            }
        }
    }
}
