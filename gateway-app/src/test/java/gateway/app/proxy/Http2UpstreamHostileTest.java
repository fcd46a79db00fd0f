package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.CONTINUATION;
import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.END_HEADERS;
import static gateway.app.proxy.Http2Wire.GOAWAY;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.PING;
import static gateway.app.proxy.Http2Wire.PUSH_PROMISE;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static gateway.app.proxy.Http2Wire.WINDOW_UPDATE;
import static gateway.app.proxy.Http2Wire.bytes;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.section;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Upstreams of HTTP/2 that break the protocol: the client gets its 502, and they lose their connection.
@Timeout(60)
final class Http2UpstreamHostileTest {
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n";
    private static final int FRAME_SIZE_ERROR = 6;
    private static final int COMPRESSION_ERROR = 9;

    @RegisterExtension
    private final FramedUpstream upstream = FramedUpstream.start();

    private final Http2Gateway gateway = upstream.gateway();

    /// What a server does once it has the request, which is stream 1.
    private interface Deed {
        void to(Http2Wire gateway) throws IOException;
    }

    private static Arguments ends(String name, int code, Deed deed) {
        return Arguments.of(name, code, deed);
    }

    private static Deed settled(Deed deed) {
        return to -> deed.to(to.frame(SETTINGS, 0, 0));
    }

    private static Deed sends(int type, int flags, int stream, byte... payload) {
        return settled(to -> to.frame(type, flags, stream, payload));
    }

    static Stream<Arguments> breaches() {
        return Stream.of(
                ends("no settings", Http2Wire.PROTOCOL_ERROR, to -> to.headers(1, true, ":status", "200")),
                ends("HTTP/1", FRAME_SIZE_ERROR, to -> to.connection().send("HTTP/1.1 400 Bad Request\r\n\r\n")),
                ends("bad HPACK", COMPRESSION_ERROR, sends(HEADERS, END_HEADERS, 1, (byte) 0xff, (byte) 0xff, (byte)
                        0xff)),
                ends("head without end", Http2Wire.ENHANCE_YOUR_CALM, settled(to -> {
                    to.frame(HEADERS, 0, 1, section(":status", "200"));
                    for (int i = 0; i < 40; i++) to.frame(CONTINUATION, 0, 1, section("a", "b"));
                })),
                ends("head past all measure", Http2Wire.ENHANCE_YOUR_CALM, settled(to -> {
                    byte[] fields = section("a", "b".repeat(16_000));
                    to.frame(HEADERS, 0, 1, section(":status", "200"));
                    for (int i = 0; i < 15; i++) to.frame(CONTINUATION, 0, 1, fields);
                    to.frame(CONTINUATION, END_HEADERS, 1, fields);
                })),
                ends("head that unpacks to past all measure", Http2Wire.ENHANCE_YOUR_CALM, settled(to -> {
                    byte[] indexed = section("a", "b".repeat(4000));
                    indexed[0] = 0x40; // literal with indexing
                    byte[] again = new byte[200];
                    Arrays.fill(again, (byte) (0x80 | 62));
                    to.frame(HEADERS, 0, 1, section(":status", "200"))
                            .frame(CONTINUATION, 0, 1, indexed)
                            .frame(CONTINUATION, END_HEADERS, 1, again);
                })),
                ends("frame too large", FRAME_SIZE_ERROR, sends(DATA, 0, 1, new byte[16 * 1024 + 1])),
                ends("idle stream", Http2Wire.PROTOCOL_ERROR, sends(DATA, 0, 3, (byte) 1)),
                ends("content of no stream", Http2Wire.PROTOCOL_ERROR, sends(DATA, 0, 0, (byte) 1)),
                ends(
                        "stream of the server",
                        Http2Wire.PROTOCOL_ERROR,
                        settled(to -> to.headers(2, true, ":status", "200"))),
                ends("push", Http2Wire.PROTOCOL_ERROR, sends(PUSH_PROMISE, END_HEADERS, 1, number(2))),
                ends(
                        "cut head",
                        Http2Wire.PROTOCOL_ERROR,
                        settled(to -> to.frame(HEADERS, 0, 1, section(":status", "200"))
                                .frame(PING, 0, 0, new byte[8]))),
                ends(
                        "lone continuation",
                        Http2Wire.PROTOCOL_ERROR,
                        sends(CONTINUATION, END_HEADERS, 1, section("a", "b"))),
                ends("settings of a stream", Http2Wire.PROTOCOL_ERROR, sends(SETTINGS, 0, 1)),
                ends("half a setting", FRAME_SIZE_ERROR, sends(SETTINGS, 0, 0, new byte[5])),
                ends("push enabled", Http2Wire.PROTOCOL_ERROR, sends(SETTINGS, 0, 0, setting(2, 1))),
                ends(
                        "window setting",
                        Http2Wire.FLOW_CONTROL_ERROR,
                        sends(SETTINGS, 0, 0, setting(4, Integer.MIN_VALUE))),
                ends("frame size setting", Http2Wire.PROTOCOL_ERROR, sends(SETTINGS, 0, 0, setting(5, 100))),
                ends("short ping", FRAME_SIZE_ERROR, sends(PING, 0, 0, new byte[7])),
                ends("short farewell", FRAME_SIZE_ERROR, sends(GOAWAY, 0, 0, new byte[4])),
                ends("farewell of a stream", Http2Wire.PROTOCOL_ERROR, sends(GOAWAY, 0, 1, new byte[8])),
                ends("update of nothing", Http2Wire.PROTOCOL_ERROR, sends(WINDOW_UPDATE, 0, 0, number(0))),
                ends(
                        "window past all measure",
                        Http2Wire.FLOW_CONTROL_ERROR,
                        sends(WINDOW_UPDATE, 0, 0, number(Integer.MAX_VALUE))),
                ends("more padding than frame", Http2Wire.PROTOCOL_ERROR, sends(DATA, 8, 1, (byte) 9, (byte) 0)),
                ends("reset of an idle stream", Http2Wire.PROTOCOL_ERROR, sends(RST_STREAM, 0, 5, number(8))),
                ends("flood of pings", Http2Wire.ENHANCE_YOUR_CALM, settled(to -> {
                    for (int i = 0; i < 100_000; i++) to.frame(PING, 1, 0, new byte[8]);
                })));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("breaches")
    void a_breach_of_the_protocol_is_answered_502_and_ends_the_connection(String name, int code, Deed deed)
            throws IOException {
        RawConnection client = gateway.plain().send(GET);
        Http2Wire server = upstream.acceptSilently();
        server.next(HEADERS);

        boolean cutOff = name.startsWith("flood");
        try {
            deed.to(server);
        } catch (IOException e) { // the gateway has had enough of it meanwhile
            cutOff = true;
        }

        assertThat(client.readAnswer()).startsWith("HTTP/1.1 502 ").contains("upstream-malformed");
        if (!cutOff) assertThat(server.next(GOAWAY).code()).isEqualTo(code);
        assertThatThrownBy(() -> server.next(PING)).isInstanceOf(IOException.class);
    }

    private static Deed head(String... fields) {
        return to -> to.headers(1, false, fields);
    }

    private static String[] many(int count) {
        return Stream.concat(
                        Stream.of(":status", "200"),
                        IntStream.range(0, count).boxed().flatMap(i -> Stream.of("f" + i, "v")))
                .toArray(String[]::new);
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("no status", head("a", "b")),
                Arguments.of("status late", head("a", "b", ":status", "200")),
                Arguments.of("two statuses", head(":status", "200", ":status", "200")),
                Arguments.of("status of two digits", head(":status", "99")),
                Arguments.of("status with a sign", head(":status", "+200")),
                Arguments.of("status 101", head(":status", "101")),
                Arguments.of("status below 100", head(":status", "099")),
                Arguments.of("pseudo-header field of a request", head(":status", "200", ":path", "/")),
                Arguments.of("upper case", head(":status", "200", "Server", "x")),
                Arguments.of("blank in a name", head(":status", "200", "a b", "x")),
                Arguments.of("line end in a value", head(":status", "200", "a", "b\r\nc: d")),
                Arguments.of("NUL in a value", head(":status", "200", "a", "b\0")),
                Arguments.of("blank around a value", head(":status", "200", "a", " b")),
                Arguments.of("connection", head(":status", "200", "connection", "close")),
                Arguments.of("transfer-encoding", head(":status", "200", "transfer-encoding", "chunked")),
                Arguments.of("upgrade", head(":status", "200", "upgrade", "h2c")),
                Arguments.of("length of no digits", head(":status", "200", "content-length", "-1")),
                Arguments.of("two lengths", head(":status", "200", "content-length", "1", "content-length", "2")),
                Arguments.of("too many fields", head(many(200))),
                Arguments.of("head too large", (Deed) to -> {
                    to.frame(HEADERS, 0, 1, section(":status", "200"));
                    for (int i = 0; i < 5; i++) to.frame(CONTINUATION, 0, 1, section("a", "b".repeat(15_000)));
                    to.frame(CONTINUATION, END_HEADERS, 1);
                }),
                Arguments.of("interim that ends", (Deed) to -> to.headers(1, true, ":status", "103")),
                Arguments.of("interim without end", (Deed) to -> {
                    for (int i = 0; i < 9; i++) to.headers(1, false, ":status", "103", "a", "b".repeat(8_000));
                }),
                Arguments.of("less than announced", (Deed)
                        to -> to.headers(1, true, ":status", "200", "content-length", "5")),
                Arguments.of("content without head", (Deed) to -> to.data(1, true, "x")),
                Arguments.of("content behind an interim head", (Deed)
                        to -> to.headers(1, false, ":status", "103").data(1, true, "x")),
                Arguments.of("update of nothing", (Deed) to -> to.frame(WINDOW_UPDATE, 0, 1, number(0))),
                Arguments.of("window past all measure", (Deed)
                        to -> to.frame(WINDOW_UPDATE, 0, 1, number(Integer.MAX_VALUE))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void a_malformed_answer_is_answered_502_and_its_connection_used_no_more(String name, Deed deed) throws IOException {
        Http2Wire client = gateway.wire().get(1, "/x");
        Http2Wire server = upstream.accept();
        server.next(HEADERS);

        deed.to(server);

        Http2Wire.Answer answer = client.answer(1);
        assertThat(answer.status()).as(name).isEqualTo("502");
        assertThat(answer.content()).contains("upstream-malformed");
        assertThat(server.next(RST_STREAM).code())
                .isEqualTo(name.startsWith("window") ? Http2Wire.FLOW_CONTROL_ERROR : Http2Wire.PROTOCOL_ERROR);
        assertThat(server.next(GOAWAY).code()).isZero();
        assertThatThrownBy(() -> server.next(PING)).isInstanceOf(EOFException.class);
    }

    static Stream<Arguments> cut() {
        return Stream.of(
                Arguments.of("more than announced", (Deed) to -> to.data(1, false, "1234567")),
                Arguments.of("less than announced", (Deed) to -> to.data(1, true, "1")),
                Arguments.of("less than announced before trailers", (Deed) to -> to.headers(1, true, "a", "b")),
                Arguments.of("trailers that end nothing", (Deed) to -> to.headers(1, false, "a", "b")),
                Arguments.of("status among trailers", (Deed)
                        to -> to.data(1, false, "123").headers(1, true, ":status", "200")),
                Arguments.of("length among trailers", (Deed)
                        to -> to.data(1, false, "123").headers(1, true, "content-length", "1")),
                Arguments.of("a reset", (Deed) to -> to.frame(RST_STREAM, 0, 1, number(2))),
                Arguments.of("the end of the connection", (Deed)
                        to -> to.connection().close()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cut")
    void what_breaks_off_in_the_middle_never_looks_complete(String name, Deed deed) throws IOException {
        Http2Wire client = gateway.wire().get(1, "/x");
        Http2Wire server = upstream.accept();
        server.next(HEADERS);
        server.headers(1, false, ":status", "200", "content-length", "6").data(1, false, "123");
        assertThat(client.next(HEADERS).ends()).isFalse();

        deed.to(server);

        assertThat(client.next(RST_STREAM).code()).as(name).isNotZero();
    }

    static Stream<Arguments> brokenAtOnce() {
        byte[] head =
                bytes(HEADERS, END_HEADERS, 1, section(":status", "200", "content-length", "6", "x-upstream", "1"));
        byte[] unbounded = bytes(HEADERS, END_HEADERS, 1, section(":status", "200"));
        byte[] content = bytes(DATA, 0, 1, (byte) '1');
        byte[] reset = bytes(RST_STREAM, 0, 1, number(2));
        byte[] less = bytes(DATA, 1, 1, (byte) '1');
        byte[] end = bytes(PING, 0, 0, new byte[7]);
        return Stream.of(
                Arguments.of("a head and a reset", "broken", joined(head, reset)),
                Arguments.of("a head without length and a reset", "broken", joined(unbounded, reset)),
                Arguments.of("a head, content and a reset", "broken", joined(head, content, reset)),
                Arguments.of("a head and a breach of the connection", "malformed", joined(head, end)),
                Arguments.of("a head and less content than announced", "malformed", joined(head, less)),
                Arguments.of("a reset and a head", "broken", joined(reset, head)));
    }

    private static byte[] joined(byte[]... frames) {
        var all = new ByteArrayOutputStream();
        for (byte[] each : frames) all.writeBytes(each);
        return all.toByteArray();
    }

    /// Holds each answer until the gateway has read all that the server sent.
    private static Policy holding(CountDownLatch read) {
        return _ -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                try {
                    read.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return response;
            }
        });
    }

    private static void sendUntilRead(Http2Wire server, byte[] frames) throws IOException {
        server.next(HEADERS);
        server.connection().send(joined(frames, bytes(PING, 0, 0, new byte[8])));
        int answer = server.next().type();
        while (answer != PING && answer != GOAWAY) answer = server.next().type();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenAtOnce")
    void what_breaks_off_before_any_of_it_was_passed_on_is_answered_502(String name, String how, byte[] frames)
            throws IOException {
        var read = new CountDownLatch(1);
        try (Http2Gateway holding = upstream.gateway(holding(read))) {
            Http2Wire client = holding.wire().get(1, "/x");

            sendUntilRead(upstream.accept(), frames);
            read.countDown();

            Http2Wire.Answer answer = client.answer(1);
            assertThat(answer.status()).as(name).isEqualTo("502");
            assertThat(answer.content()).contains("upstream-" + how);
            assertThat(answer.fields()).doesNotContainKey("x-upstream");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenAtOnce")
    void clients_of_http_1_are_told_502_too(String name, String how, byte[] frames) throws IOException {
        var read = new CountDownLatch(1);
        try (Http2Gateway holding = upstream.gateway(holding(read))) {
            RawConnection client = holding.plain().send(GET);

            sendUntilRead(upstream.accept(), frames);
            read.countDown();

            assertThat(client.readAnswer()).as(name).startsWith("HTTP/1.1 502 ").contains("upstream-" + how);
        }
    }

    @Test
    void content_past_the_window_of_its_stream_resets_it() throws IOException {
        Http2Wire client = gateway.wire().frame(SETTINGS, 0, 0, setting(4, 0)).get(1, "/x");
        Http2Wire server = upstream.accept();
        server.next(HEADERS);
        server.headers(1, false, ":status", "200");

        for (int i = 0; i < 5; i++) server.frame(DATA, 0, 1, new byte[16 * 1024]);

        assertThat(server.next(RST_STREAM).code()).isEqualTo(Http2Wire.FLOW_CONTROL_ERROR);
        assertThat(client.next(RST_STREAM).stream()).isEqualTo(1);
    }

    /// The farewell, which takes longer than a read may.
    private static Http2Wire.Frame patient(Http2Wire server) throws IOException {
        while (true) {
            try {
                return server.next(GOAWAY);
            } catch (SocketTimeoutException e) {
                // not yet
            }
        }
    }

    @Test
    void a_server_that_only_accepts_is_504_and_asked_whether_it_is_there_when_it_keeps_silent() throws IOException {
        try (Http2Gateway impatient = upstream.impatientGateway()) {
            RawConnection client = impatient.plain().send(GET);
            Http2Wire server = upstream.accept();
            server.next(HEADERS);

            assertThat(client.readAnswer()).startsWith("HTTP/1.1 504 ");
            assertThat(server.next(PING).flags()).isZero();
            assertThat(server.next(RST_STREAM).code()).isEqualTo(Http2Wire.CANCEL);
            assertThat(patient(server).code()).isZero();
        }
    }
}
