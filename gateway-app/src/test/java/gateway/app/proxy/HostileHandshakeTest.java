package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Handshakes octet by octet, of clients and upstreams that keep to the rules and that do not.
final class HostileHandshakeTest {
    private static final String HANDSHAKE = handshake();
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String AGREED = Http.head(
            "HTTP/1.1 101 Switching Protocols",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");

    private final Proxy proxy = start();

    private static Proxy start() {
        try {
            return Proxy.in(RequestThreadMode.IO).start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
    }

    @Test
    void both_sides_see_a_handshake_and_then_each_other() throws IOException {
        RawConnection client = proxy.client()
                .send(handshake("Sec-WebSocket-Protocol: chat, b", "Sec-WebSocket-Extensions: permessage-deflate"));
        RawConnection upstream = proxy.upstream().accept();
        String asked = upstream.readHead();
        upstream.send(
                AGREED.replace("\r\n\r\n", "\r\nSec-WebSocket-Protocol: chat\r\nSet-Cookie: a=1\r\n\r\n") + "at once");
        String answered = client.readHead();

        assertThat(Http.start(asked)).isEqualTo("GET /chat HTTP/1.1");
        assertThat(Http.all(asked, "Connection")).containsExactly("Upgrade");
        assertThat(Http.all(asked, "Upgrade")).containsExactly("websocket");
        assertThat(Http.only(asked, "Sec-WebSocket-Key")).isEqualTo("dGhlIHNhbXBsZSBub25jZQ==");
        assertThat(Http.only(asked, "Sec-WebSocket-Version")).isEqualTo("13");
        assertThat(Http.only(asked, "Sec-WebSocket-Protocol")).isEqualTo("chat, b");
        assertThat(Http.only(asked, "Sec-WebSocket-Extensions")).isEqualTo("permessage-deflate");
        assertThat(Http.only(asked, "X-Forwarded-For")).isEqualTo("127.0.0.1");
        assertThat(Http.start(answered)).isEqualTo("HTTP/1.1 101 Switching Protocols");
        assertThat(Http.only(answered, "Connection")).isEqualTo("Upgrade");
        assertThat(Http.only(answered, "Upgrade")).isEqualTo("websocket");
        assertThat(Http.only(answered, "Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assertThat(Http.only(answered, "Sec-WebSocket-Protocol")).isEqualTo("chat");
        assertThat(Http.only(answered, "Set-Cookie")).isEqualTo("a=1");
        assertThat(Http.only(answered, "X-Request-Id")).isEqualTo(Http.only(asked, "X-Request-Id"));
        assertThat(client.read(7)).isEqualTo("at once");
        client.send(SMUGGLED); // just bytes by now
        assertThat(upstream.read(SMUGGLED.length())).isEqualTo(SMUGGLED);
        upstream.send("HTTP/1.1 200 OK\r\n\r\n");
        assertThat(client.readHead()).isEqualTo("HTTP/1.1 200 OK\r\n\r\n");
        assertThat(proxy.dataPlane().malformedRequests()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", // none left
                "dGhlIHNhbXBsZSBub25jZQ==", // empty
                "ZSBub25jZQ==" // too short
            })
    void a_handshake_without_a_key_is_refused(String taken) throws IOException {
        assertThat(refused(HANDSHAKE.replace(taken, "")))
                .startsWith("HTTP/1.1 400 ")
                .contains("urn:gateway:problem:bad-handshake");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                "Connection: sec-websocket-key",
                "Content-Length: 3",
                "Transfer-Encoding: chunked"
            })
    void a_handshake_with_more_than_it_may_have_is_refused(String line) throws IOException {
        assertThat(refused(handshake(line))).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void a_handshake_of_another_method_is_refused() throws IOException {
        assertThat(refused(HANDSHAKE.replace("GET", "POST"))).startsWith("HTTP/1.1 400 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sec-WebSocket-Version: 8", "Sec-WebSocket-Version: 13, 8", "X-Version: 13"})
    void another_version_is_told_which_one_is_spoken(String line) throws IOException {
        String answer = refused(HANDSHAKE.replace("Sec-WebSocket-Version: 13", line));

        assertThat(answer).startsWith("HTTP/1.1 426 ");
        assertThat(Http.only(answer, "Sec-WebSocket-Version")).isEqualTo("13");
        assertThat(Http.only(answer, "Upgrade")).isEqualTo("websocket");
    }

    /// The answer, after which the connection is closed; the upstream is not called.
    private String refused(String request) throws IOException {
        RawConnection client = proxy.client().send(request + SMUGGLED);
        String answer = client.readAnswer();

        assertThat(client.isClosedByPeer()).isTrue();
        assertThat(proxy.upstream().nobodyElseCalls()).isTrue();
        return answer;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nUpgrade: websocket\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websockets\r\n\r\n"
            })
    void other_upgrades_are_plain_requests(String request) throws IOException {
        RawConnection client = proxy.client().send(request);
        RawConnection upstream = proxy.upstream().accept();
        for (int round = 0; round < 2; round++) {
            String asked = upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

            assertThat(client.readAnswer()).endsWith("ok");
            for (String name : List.of("Upgrade", "Connection", "HTTP2-Settings"))
                assertThat(Http.all(asked, name)).as(name).isEmpty();
            if (round == 0) client.send(request);
        }
    }

    @Test
    void http_1_0_knows_no_upgrade() throws IOException {
        RawConnection client = proxy.client().send(HANDSHAKE.replace("HTTP/1.1", "HTTP/1.0"));
        RawConnection upstream = proxy.upstream().accept();

        assertThat(Http.all(upstream.readHead(), "Upgrade")).isEmpty();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        assertThat(client.readAnswer()).endsWith("ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"403 Forbidden", "426 Upgrade Required", "200 OK"})
    void what_follows_a_handshake_that_the_upstream_refuses_is_nobody_s_request(String status) throws IOException {
        RawConnection client = proxy.client().send(HANDSHAKE + SMUGGLED);
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\nno");

        String answer = client.readAnswer();
        assertThat(answer).startsWith("HTTP/1.1 " + status).endsWith("no");
        assertThat(Http.only(answer, "Connection")).isEqualTo("close");
        assertThat(client.isClosedByPeer()).isTrue();
        assertThat(upstream.readToEnd()).as("what else the upstream is sent").isEmpty();
        assertThat(proxy.upstream().nobodyElseCalls()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0081\u0085\0\0\0\0early", SMUGGLED})
    void bytes_ahead_of_the_answer_end_the_handshake(String early) throws IOException {
        RawConnection client = proxy.client().send(HANDSHAKE + early);
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send(AGREED);

        assertThat(client.readAnswer()).startsWith("HTTP/1.1 400 ").contains("bytes came before the answer");
        assertThat(client.isClosedByPeer()).isTrue();
        assertThat(upstream.readToEnd()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
                "HTTP/1.1 101 X\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
                "HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 2\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nTransfer-Encoding: chunked\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
            })
    void an_agreement_that_does_not_answer_the_handshake_is_502(String agreed) throws IOException {
        RawConnection client = proxy.client().send(HANDSHAKE);
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send(agreed);

        assertThat(client.readAnswer()).startsWith("HTTP/1.1 502 ");
        assertThat(client.isClosedByPeer()).isTrue();
        assertThat(upstream.readToEnd()).isEmpty();
    }

    @Test
    void an_agreement_to_a_plain_request_is_502() throws IOException {
        RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send(AGREED);

        assertThat(client.readAnswer()).startsWith("HTTP/1.1 502 ");
        assertThat(upstream.readToEnd()).isEmpty();
    }

    @Test
    void a_policy_may_answer_in_place_of_an_upstream_that_has_agreed() throws IOException {
        try (Proxy strict = Proxy.in(RequestThreadMode.IO)
                .policies(_ -> Verdict.proceed(new Followup() {
                    @Override
                    public Response onResponse(Response response) {
                        return Response.of(response.status() == 101 ? 451 : 500);
                    }
                }))
                .start()) {
            RawConnection client = strict.client().send(HANDSHAKE);
            RawConnection upstream = strict.upstream().accept();
            upstream.readHead();
            upstream.send(AGREED);

            assertThat(client.readAnswer()).startsWith("HTTP/1.1 451 ");
            assertThat(upstream.readToEnd()).isEmpty();
            assertThat(strict.dataPlane().webSockets()).isZero();
        }
    }

    static String handshake(String... more) {
        return "GET /chat HTTP/1.1\r\nHost: a.example\r\nUpgrade: foo, WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + (more.length == 0 ? "" : String.join("\r\n", more) + "\r\n")
                + "\r\n";
    }

    static String agreed() {
        return AGREED;
    }
}
