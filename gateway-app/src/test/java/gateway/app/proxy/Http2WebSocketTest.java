package gateway.app.proxy;

import static gateway.app.proxy.Http2Sockets.HANDSHAKE;
import static gateway.app.proxy.Http2Sockets.agreed;
import static gateway.app.proxy.Http2Sockets.handshake;
import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Handshakes of WebSockets on streams of HTTP/2 (RFC 8441), to an upstream that knows HTTP/1.1 only.
final class Http2WebSocketTest {
    private Http2Sockets sockets;
    private Http2Wire client;

    private void start(Http2Gateway gateway) throws IOException {
        sockets = new Http2Sockets(gateway);
        client = sockets.client;
    }

    @AfterEach
    void stop() throws IOException {
        sockets.close();
    }

    @Test
    void an_extended_connect_is_a_handshake_of_http_1_1_to_the_upstream() throws IOException {
        start(Http2Gateway.start());
        client.headers(
                1, false, handshake("websocket", "sec-websocket-protocol", "chat, b", "sec-websocket-extensions", "x"));
        RawConnection upstream = sockets.gateway.upstream.accept();
        String asked = upstream.readHead();
        upstream.send(agreed(asked, "Sec-WebSocket-Protocol: chat", "Set-Cookie: a=1") + "at once");
        Map<String, String> answered = client.fields(client.next(HEADERS));

        assertThat(Http.start(asked)).isEqualTo("GET /chat?a=b HTTP/1.1");
        assertThat(Http.all(asked, "Connection")).containsExactly("Upgrade");
        assertThat(Http.all(asked, "Upgrade")).containsExactly("websocket");
        assertThat(Http.only(asked, "Sec-WebSocket-Version")).isEqualTo("13");
        assertThat(Http.only(asked, "Sec-WebSocket-Protocol")).isEqualTo("chat, b");
        assertThat(Http.only(asked, "Sec-WebSocket-Extensions")).isEqualTo("x");
        assertThat(Http.only(asked, "X-Forwarded-For")).isEqualTo("127.0.0.1");
        assertThat(asked).doesNotContain(":protocol");
        assertThat(answered.remove("x-request-id")).isEqualTo(Http.only(asked, "X-Request-Id"));
        assertThat(answered).isEqualTo(Map.of(":status", "200", "sec-websocket-protocol", "chat", "set-cookie", "a=1"));
        assertThat(client.next(DATA).payload()).isEqualTo("at once");
        client.data(1, false, "GET / HTTP/1.1\r\n\r\n");
        assertThat(upstream.read(18)).isEqualTo("GET / HTTP/1.1\r\n\r\n");
        assertThat(sockets.gateway.dataPlane().webSockets()).isEqualTo(1);
    }

    @Test
    void a_key_of_the_client_is_not_the_one_that_the_upstream_is_asked_with() throws IOException {
        start(Http2Gateway.start());
        client.headers(1, false, handshake("websocket", "sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="));

        String asked = sockets.gateway.upstream.accept().readHead();

        assertThat(Http.only(asked, "Sec-WebSocket-Key")).isNotEqualTo("dGhlIHNhbXBsZSBub25jZQ==");
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect-udp", "websocket2", ""})
    void other_protocols_are_not_implemented(String protocol) throws IOException {
        start(Http2Gateway.start());
        client.headers(1, true, handshake(protocol));

        assertThat(client.answer(1).status()).isEqualTo("501");
        sockets.open(3);
    }

    @Test
    void an_extended_connect_that_is_malformed_is_refused() throws IOException {
        start(Http2Gateway.start());
        String[][] heads = {
            {":method", "GET", ":protocol", "websocket", ":scheme", "http", ":authority", "a", ":path", "/"},
            {":method", "CONNECT", ":protocol", "websocket", ":authority", "a"},
            {":method", "CONNECT", ":protocol", "websocket", ":scheme", "http", ":path", "/"},
            {":method", "CONNECT", ":authority", "a:1"},
            handshake("websocket", ":protocol", "websocket"),
            handshake("websocket", "content-length", "0"),
            handshake("websocket", "connection", "upgrade")
        };
        for (int i = 0; i < heads.length; i++) {
            client.headers(2 * i + 1, true, heads[i]);
            assertThat(client.answer(2 * i + 1).status())
                    .as(String.join(" ", heads[i]))
                    .isEqualTo("400");
        }
        assertThat(sockets.gateway.upstream.nobodyElseCalls()).isTrue();
    }

    @Test
    void another_version_is_told_which_one_is_spoken() throws IOException {
        start(Http2Gateway.start());
        String[] head = HANDSHAKE.clone();
        head[head.length - 1] = "8";
        client.headers(1, false, head);

        Http2Wire.Answer answer = client.answer(1);

        assertThat(answer.status()).isEqualTo("400");
        assertThat(answer.fields()).containsEntry("sec-websocket-version", "13");
    }

    @Test
    void a_gateway_that_takes_no_sockets_does_not_offer_them() throws IOException {
        start(Http2Gateway.with(plane -> plane.withWebSockets(new WebSocketLimits(0, Duration.ofMinutes(1)))));

        assertThat(client.next(SETTINGS).octets()).endsWith(setting(8, 0));
        client.headers(1, true, HANDSHAKE);
        assertThat(client.answer(1).status()).isEqualTo("400");
    }

    @Test
    void what_the_upstream_refuses_with_is_answered_and_the_stream_is_over() throws IOException {
        start(Http2Gateway.start());
        client.headers(1, false, HANDSHAKE).data(1, false, "early");
        RawConnection upstream = sockets.gateway.upstream.accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");

        Http2Wire.Answer answer = client.answer(1);
        Http2Wire.Frame reset = client.next(RST_STREAM);

        assertThat(answer.status()).isEqualTo("403");
        assertThat(answer.content()).isEqualTo("no");
        assertThat(reset.stream()).isEqualTo(1);
        assertThat(reset.code()).isZero();
        assertThat(upstream.isClosedByPeer()).isTrue();
        sockets.open(3);
    }

    @Test
    void an_upstream_that_knows_no_sockets_does_not_seem_to_agree() throws IOException {
        start(Http2Gateway.start());
        client.headers(1, false, HANDSHAKE);
        RawConnection upstream = sockets.gateway.upstream.accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");

        assertThat(client.answer(1).status()).isEqualTo("502");
        assertThat(upstream.isClosedByPeer()).isTrue();
    }

    @Test
    void a_policy_that_answers_does_not_seem_to_agree() throws IOException {
        Policy answering = _ -> new Verdict.Stop(Response.of(204));
        start(Http2Gateway.start(answering));
        client.headers(1, false, HANDSHAKE);

        assertThat(client.answer(1).status()).isEqualTo("502");
    }

    @Test
    void one_socket_too_many_is_refused() throws IOException {
        start(Http2Gateway.with(plane -> plane.withWebSockets(new WebSocketLimits(1, Duration.ofMinutes(1)))));
        RawConnection upstream = sockets.open(1);
        client.headers(3, false, HANDSHAKE);

        assertThat(client.answer(3).status()).isEqualTo("503");
        assertThat(sockets.gateway.dataPlane().refusedWebSockets()).isEqualTo(1);
        client.data(1, true, "");
        upstream.close();
        sockets.awaitNone();
        sockets.open(5);
    }
}
