package gateway.app.proxy;

import static gateway.Eventually.until;
import static gateway.app.proxy.Http2Wire.GOAWAY;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.AccountedPlane.Account;
import gateway.app.proxy.Http2Wire.Frame;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of requests that are under way when a gateway that stops waits no longer, and how it is told.
@Timeout(60)
final class StoppedRequestsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String BEGUN = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello";
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String ANY = "\177\377\377\377";
    private static final Account TOLD = Account.of(503, "gateway-stopped");
    private static final Account CUT = Account.of(200, "gateway-stopped");

    private AccountedPlane plane;
    private CompletableFuture<Boolean> stopped = CompletableFuture.completedFuture(true);

    private void start(UnaryOperator<DataPlaneSettings> change) throws IOException {
        plane = new AccountedPlane(change);
    }

    private void start() throws IOException {
        start(same -> same);
    }

    @AfterEach
    void close() throws Exception {
        plane.close();
        stopped.get(20, TimeUnit.SECONDS);
    }

    private RawConnection asked() throws IOException {
        RawConnection upstream = plane.upstream.accept();
        upstream.readHead();
        return upstream;
    }

    private void stop(Duration patience) {
        stopped = CompletableFuture.supplyAsync(() -> plane.dataPlane().stop(patience));
    }

    private void stopSoon() {
        stop(Duration.ofMillis(50));
    }

    private List<Account> accounts() throws Exception {
        assertThat(stopped.get(20, TimeUnit.SECONDS)).isFalse();
        return plane.accounts();
    }

    private static void assertTold(String answer) {
        assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 503 Service Unavailable");
        assertThat(Http.only(answer, "Connection")).isEqualTo("close");
        assertThat(Http.only(answer, "Retry-After")).isEqualTo("1");
        assertThat(Http.body(answer)).contains("draining");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_request_without_an_answer_is_told(boolean secure) throws Exception {
        start();
        RawConnection client = secure ? plane.secure() : plane.plain();
        client.send(GET);
        RawConnection upstream = asked();
        stopSoon();

        assertTold(client.readToEnd());
        assertThat(upstream.isClosedByPeer()).isTrue();
        assertThat(accounts()).containsExactly(TOLD);
        assertThat(plane.meters()).isEqualTo(Map.of("5xx", 1, "gateway-stopped", 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 100\r\n\r\nhello",
                "Content-Length: 100000\r\n\r\nhello",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            })
    void a_request_that_is_still_being_sent_is_told(String body) throws Exception {
        start();
        RawConnection client = plane.plain().send("POST / HTTP/1.1\r\nHost: a\r\n" + body);
        until(() -> plane.dataPlane().requestsAwaitingClients() >= 1);
        stopSoon();

        assertTold(client.readToEnd());
        assertThat(accounts()).containsExactly(TOLD);
    }

    @Test
    void a_request_that_waits_for_a_place_is_told() throws Exception {
        start(settings -> settings.withMaxInFlight(1).withWaiting(new WaitingLimits(1, Duration.ofMinutes(1))));
        RawConnection first = plane.plain().send(GET);
        asked();
        RawConnection second = plane.plain().send(GET);
        until(() -> plane.dataPlane().requestsWaiting() >= 1);
        stopSoon();

        assertTold(first.readToEnd());
        assertTold(second.readToEnd());
        assertThat(accounts()).containsExactly(TOLD, TOLD);
        assertThat(plane.meters()).isEqualTo(Map.of("5xx", 2, "gateway-stopped", 2));
    }

    @Test
    void an_answer_that_has_begun_is_cut() throws Exception {
        start();
        RawConnection client = plane.plain().send(GET);
        asked().send(BEGUN);
        client.readUntil("hello");
        stopSoon();

        assertThat(client.isClosedByPeer()).isTrue();
        assertThat(accounts()).containsExactly(CUT);
        assertThat(plane.meters()).isEqualTo(Map.of("2xx", 1, "gateway-stopped", 1));
    }

    @Test
    void a_client_that_leaves_before_that_has_left() throws Exception {
        start();
        RawConnection client = plane.plain().send(GET);
        asked();
        stop(Duration.ofMinutes(1));
        client.close();

        assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(plane.accounts()).containsExactly(Account.of(499, "client-gone"));
    }

    /// All frames until the connection ends.
    private static List<Frame> rest(Http2Wire client) throws IOException {
        var frames = new ArrayList<Frame>();
        try {
            while (true) frames.add(client.next());
        } catch (EOFException e) {
            return frames;
        }
    }

    private static List<String> lastStreams(List<Frame> frames) {
        return frames.stream()
                .filter(frame -> frame.type() == GOAWAY && frame.code() == 0)
                .map(frame -> frame.payload().substring(0, 4))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streams_are_told_or_cut_and_the_client_learns_which_was_the_last(boolean secure) throws Exception {
        start();
        Http2Wire client = secure ? plane.secureFramed() : plane.framed();
        client.get(1, "/begun");
        asked().send(BEGUN);
        client.next(Http2Wire.DATA);
        client.get(3, "/unanswered");
        asked();
        stopSoon();

        List<Frame> frames = rest(client);
        assertThat(lastStreams(frames)).containsExactly(ANY, "\0\0\0\3", "\0\0\0\3");
        assertThat(frames.getLast().type()).isEqualTo(GOAWAY);
        assertThat(frames).noneMatch(frame -> frame.stream() == 1);
        Frame head = frames.stream()
                .filter(frame -> frame.type() == HEADERS)
                .findFirst()
                .orElseThrow();
        assertThat(head.stream()).isEqualTo(3);
        assertThat(client.fields(head)).containsEntry(":status", "503").containsEntry("retry-after", "1");
        assertThat(frames).anyMatch(frame -> frame.stream() == 3 && frame.ends());
        assertThat(accounts()).containsExactlyInAnyOrder(TOLD, CUT);
    }

    private String url() {
        return "http://127.0.0.1:" + plane.dataPlane().address().getPort() + "/";
    }

    @Test
    void nghttp_is_told() throws Exception {
        start();
        Process nghttp = Http2PeersTest.begin("nghttp", "-nv", url() + "a", url() + "b");
        asked();
        asked();
        stopSoon();

        assertThat(Http2PeersTest.output(nghttp))
                .contains(":status: 503")
                .contains("last_stream_id=2147483647", "error_code=NO_ERROR(0x00)")
                .containsPattern("last_stream_id=(13|15|17)\\D")
                .doesNotContain("some requests were not processed");
        assertThat(accounts()).containsExactly(TOLD, TOLD);
    }

    @Test
    void curl_is_told_by_either_http() throws Exception {
        start();
        Process first = Http2PeersTest.begin("curl", "-sSi", "--http1.1", url());
        asked();
        Process second = Http2PeersTest.begin("curl", "-sSi", "--http2-prior-knowledge", url());
        asked();
        stopSoon();

        assertTold(Http2PeersTest.output(first));
        assertThat(Http2PeersTest.output(second)).startsWith("HTTP/2 503").contains("draining");
        assertThat(accounts()).containsExactly(TOLD, TOLD);
    }

    @Test
    void curl_does_not_take_a_cut_answer_for_a_whole_one() throws Exception {
        start();
        Process curl = Http2PeersTest.begin("curl", "-sSiN", "--http2-prior-knowledge", url());
        asked().send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        assertThat(new String(curl.getInputStream().readNBytes(5), US_ASCII)).isEqualTo("HTTP/");
        stopSoon();

        assertThat(curl.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(curl.exitValue()).isNotZero();
        assertThat(accounts()).containsExactly(CUT);
    }

    @Test
    void a_stream_that_is_still_being_sent_is_told() throws Exception {
        start();
        Http2Wire client = plane.framed().post(1, "/").data(1, false, "hello");
        asked();
        stopSoon();

        List<Frame> frames = rest(client);
        assertThat(frames).anyMatch(frame -> frame.type() == RST_STREAM && frame.code() == 0);
        assertThat(accounts()).containsExactly(TOLD);
    }

    @Test
    void a_call_of_grpc_is_told_in_its_own_words() throws Exception {
        start();
        String[] head = Http2Wire.joined(Http2Wire.head("POST", "/"), "content-type", "application/grpc");
        Http2Wire client = plane.framed().headers(1, false, head);
        asked();
        stopSoon();

        assertThat(client.fields(client.next(HEADERS)))
                .containsEntry(":status", "200")
                .containsEntry("grpc-status", "14");
        assertThat(accounts()).containsExactly(CUT);
        assertThat(plane.meters()).isEqualTo(Map.of("5xx", 1, "gateway-stopped", 1));
    }

    @Test
    void streams_past_the_last_one_are_refused_so_that_their_requests_can_be_made_elsewhere() throws Exception {
        start();
        Http2Wire client = plane.framed().get(1, "/");
        RawConnection upstream = asked();
        stop(Duration.ofMinutes(1));
        assertThat(client.next(GOAWAY).payload()).startsWith(ANY);
        assertThat(client.next(GOAWAY).payload()).startsWith("\0\0\0\1");
        client.post(3, "/late").data(3, true, "hello").get(5, "/later");

        Frame refused = client.next(RST_STREAM);
        assertThat(refused.stream()).isEqualTo(3);
        assertThat(refused.code()).isEqualTo(Http2Wire.REFUSED_STREAM);
        assertThat(client.next(RST_STREAM).stream()).isEqualTo(5);
        upstream.send(ANSWER);
        assertThat(client.answer(1).status()).isEqualTo("200");
        assertThat(client.next(GOAWAY).payload()).startsWith("\0\0\0\1");
        assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(plane.accounts()).containsExactly(Account.of(200, "complete"));
    }

    @Test
    void a_connection_without_streams_learns_it_too() throws Exception {
        start();
        Http2Wire client = plane.framed();
        client.next(Http2Wire.SETTINGS);
        stop(Duration.ofMinutes(1));

        assertThat(lastStreams(rest(client))).containsExactly(ANY, "\0\0\0\0");
        assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
    }
}
