package gateway.app.proxy;

import static gateway.Eventually.until;
import static gateway.http.Gzip.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.OneRoute.WithBodies;
import gateway.http.Body;
import gateway.http.Response;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Followup;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.Pressure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bodies that are held for policies, over sockets: what they take of the process's memory, and that it is
/// given back.
@Timeout(60)
final class BodyRoomTest {
    private static final long PURSE = 64 * 1024;

    private static Proxy plain(BodyUse use) throws IOException {
        return Proxy.in(RequestThreadMode.IO)
                .ioThreads(1)
                .policies(new WithBodies(use, exchange -> {
                    exchange.held()
                            .ifPresent(body -> exchange.headers()
                                    .set("X-Plain", new String(body.plain(), StandardCharsets.US_ASCII)));
                    return Verdict.proceed(new Followup() {
                        @Override
                        public Response onResponse(Response response) {
                            return response.held()
                                    .map(body -> response.withBody(Body.of(body.plain())))
                                    .orElse(response);
                        }
                    });
                }))
                .start();
    }

    private static long held(Proxy proxy) {
        return proxy.dataPlane().memory().of(Kind.BODIES).taken();
    }

    @Test
    void a_packed_request_is_seen_plain_and_goes_out_as_it_came() throws IOException {
        byte[] content = gzip("hello");
        try (Proxy proxy = plain(BodyUse.ofRequests(BodyAccess.plain(1000)))) {
            RawConnection client = proxy.client()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .send(Integer.toHexString(content.length) + "\r\n")
                    .send(content)
                    .send("\r\n0\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            String head = upstream.readHead();
            String body = upstream.read(content.length);
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(Http.only(head, "X-Plain")).isEqualTo("hello");
            assertThat(Http.only(head, "Content-Encoding")).isEqualTo("gzip");
            assertThat(Http.only(head, "Content-Length")).isEqualTo(Integer.toString(content.length));
            assertThat(body).isEqualTo(new String(content, StandardCharsets.ISO_8859_1));
            assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
            until(() -> held(proxy) <= PURSE);
        }
    }

    @Test
    void an_answer_that_is_replaced_by_its_plain_bytes_is_packed_no_more() throws IOException {
        byte[] content = gzip("hello");
        try (Proxy proxy = plain(BodyUse.ofResponses(BodyAccess.plain(1000)))) {
            RawConnection client =
                    proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br, gzip\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            String head = upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + content.length + "\r\n\r\n")
                    .send(content);
            String answer = client.readAnswer();

            assertThat(Http.only(head, "Accept-Encoding")).isEqualTo("gzip");
            assertThat(Http.all(answer, "Content-Encoding")).isEmpty();
            assertThat(Http.body(answer)).isEqualTo("hello");
            until(() -> held(proxy) <= PURSE);
        }
    }

    @Test
    void a_bomb_is_413_and_its_room_is_given_back() throws IOException {
        byte[] bomb = gzip("0".repeat(10_000_000));
        try (Proxy proxy = plain(BodyUse.ofRequests(BodyAccess.plain(1_000_000)))) {
            RawConnection client = proxy.client()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: " + bomb.length
                            + "\r\n\r\n")
                    .send(bomb);

            assertThat(Http.start(client.readAnswer())).startsWith("HTTP/1.1 413");
            until(() -> held(proxy) <= PURSE);
        }
    }

    @Test
    void while_bodies_leave_no_room_a_newcomer_is_served_and_its_upload_told_503() throws IOException {
        try (Proxy proxy = plain(BodyUse.ofRequests(BodyAccess.plain(1 << 30)))) {
            Budget bodies = proxy.dataPlane().memory().of(Kind.BODIES);
            int left = (int) (bodies.most() / 8);
            bodies.takeAnyway(bodies.most() - left - bodies.taken());
            assertThat(bodies.pressure()).isEqualTo(Pressure.TIGHT);

            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            assertThat(Http.body(client.readAnswer())).isEqualTo("ok");

            RawConnection upload =
                    proxy.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + 2 * left + "\r\n\r\n");
            Thread.ofVirtual().start(() -> send(upload, new byte[2 * left]));
            assertThat(upload.readAnswer())
                    .startsWith("HTTP/1.1 503")
                    .contains("no-room")
                    .contains("Retry-After");

            bodies.takeAnyway(left);
            String told =
                    proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readAnswer();
            assertThat(told).startsWith("HTTP/1.1 503").contains("overloaded").contains("Retry-After");
        }
    }

    /// As far as it is taken: the answer may come before the end.
    private static void send(RawConnection client, byte[] content) {
        try {
            client.send(content);
        } catch (IOException e) {
            // the connection has ended with the answer
        }
    }

    @Test
    void a_client_that_leaves_in_its_upload_leaves_no_room_taken() throws IOException {
        try (Proxy proxy = plain(BodyUse.ofRequests(BodyAccess.plain(8 << 20)))) {
            RawConnection client = proxy.client()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n")
                    .send(new byte[1_000_000]);
            until(() -> held(proxy) > PURSE);

            client.reset();

            until(() -> held(proxy) <= PURSE);
        }
    }

    @Test
    void a_stream_of_events_is_not_held_for_a_policy_that_wants_answers() throws IOException {
        try (Proxy proxy = plain(BodyUse.ofResponses(BodyAccess.plain(1000)))) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");

            client.readHead();
            assertThat(client.readUntil("data: 1\n\n")).contains("data: 1");
        }
    }
}
