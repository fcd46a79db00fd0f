package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.OneRoute.WithBodies;
import gateway.http.Body;
import gateway.http.Response;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Followup;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import gateway.wire.memory.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bodies that are held for policies, over sockets: what they take of the process's memory, and that it is
/// given back.
@Timeout(180)
final class BodyRoomTest {
    private static final int REQUESTS = 500;
    private static final int SIZE = 5_000_000;
    private static final byte[] PIECE = new byte[50_000];
    private static final int BEGUN = 20; // pieces, before the others are under way too
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + SIZE + "\r\n\r\n";
    private static final long PURSE = 64 * 1024;

    @Test
    void with_500_requests_of_5_MB_under_way_what_has_no_room_is_told_503_and_the_process_serves_on() throws Exception {
        try (HoldingProxy proxy = HoldingProxy.start("-Xmx1144m", "-XX:MaxDirectMemorySize=238m");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var underWay = new CountDownLatch(REQUESTS);
            var answers = new ArrayList<Future<String>>();
            for (int i = 0; i < REQUESTS; i++) answers.add(threads.submit(upload(proxy, underWay)));
            var told = new TreeMap<String, Integer>();
            for (Future<String> answer : answers) {
                String came = answer.get();
                String kind = came.contains("problem:no-room")
                        ? "no room"
                        : came.lines().findFirst().orElse("");
                told.merge(kind, 1, Integer::sum);
            }

            assertThat(proxy.isAlive()).isTrue();
            assertThat(told).containsKeys("HTTP/1.1 200 OK", "no room");
            assertThat(told.keySet()).isSubsetOf("HTTP/1.1 200 OK", "no room", "HTTP/1.1 503 Service Unavailable");
            while (proxy.held() > 0) Thread.onSpinWait();
            assertThat(upload(proxy, new CountDownLatch(1)).call()).endsWith(SIZE + " bytes");
        }
    }

    /// Sends all of it and reads meanwhile, as an answer may come before the end, and the connection then ends.
    ///
    /// @param underWay counts those that have begun; none goes on before all have
    private static Callable<String> upload(HoldingProxy proxy, CountDownLatch underWay) {
        return () -> {
            try (RawConnection client = proxy.client()) {
                Thread.ofVirtual().start(() -> send(client, underWay));
                return client.readAnswer();
            } catch (IOException | RuntimeException | AssertionError e) {
                return e.toString();
            }
        };
    }

    private static void send(RawConnection client, CountDownLatch underWay) {
        boolean goesOn = isTaken(client, HEAD.getBytes(StandardCharsets.US_ASCII), 1) && isTaken(client, PIECE, BEGUN);
        underWay.countDown();
        try {
            underWay.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (goesOn) isTaken(client, PIECE, SIZE / PIECE.length - BEGUN);
    }

    /// False when the connection has ended, since the request has been answered.
    private static boolean isTaken(RawConnection client, byte[] piece, int times) {
        try {
            for (int i = 0; i < times; i++) client.send(piece);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

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

    private static byte[] gzip(String text) throws IOException {
        var coded = new ByteArrayOutputStream();
        try (var to = new GZIPOutputStream(coded)) {
            to.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return coded.toByteArray();
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) Thread.onSpinWait();
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
