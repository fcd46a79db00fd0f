package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.ACK;
import static gateway.app.proxy.Http2Wire.CANCEL;
import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.PING;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static gateway.app.proxy.Http2Wire.WINDOW_UPDATE;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import gateway.config.TargetDefinition;
import gateway.net.UpstreamProtocol;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How long calls of gRPC may last and be silent, frame by frame on both sides. The patience for bodies is short.
final class GrpcDeadlinesTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(10);

    private RawUpstream upstream;
    private Http2Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawUpstream();
        gateway = Http2Gateway.inFrontOf(
                OneRoute.to(new TargetDefinition(URI.create(upstream.url()), 1).by(UpstreamProtocol.H2C)),
                plane -> plane.withTimeouts(LONG, LONG, SHORT).withLeastRates(new LeastRates(240, 240, SHORT)));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    private Http2Wire accept() throws IOException {
        Http2Wire server = Http2Wire.serving(upstream.accept());
        server.frame(SETTINGS, 0, 0);
        return server;
    }

    private static void call(Http2Wire client, String... more) throws IOException {
        client.post(1, "/s/m", Http2Wire.joined(new String[] {"content-type", "application/grpc+proto"}, more));
    }

    /// Answers when the gateway asks whether the client is there: some patience has gone by in silence.
    private static void answerPing(Http2Wire client) throws IOException {
        Http2Wire.Frame ping = client.next(PING);
        client.frame(PING, ACK, 0, ping.octets());
    }

    @Test
    void a_client_may_be_silent_in_a_call_for_as_long_as_it_is_there() throws IOException {
        Http2Wire client = gateway.wire();
        call(client);
        Http2Wire server = accept();
        server.next(HEADERS);

        for (int i = 0; i < 3; i++) answerPing(client);

        client.data(1, true, "hello");
        assertThat(server.next(DATA).payload()).isEqualTo("hello");
    }

    /// As clients of grpc-go do it.
    @Test
    void a_ping_for_each_frame_of_content_is_no_flood() throws IOException {
        Http2Wire client = gateway.wire();
        call(client);
        Http2Wire server = accept();
        server.next(HEADERS);
        server.headers(1, false, ":status", "200");

        for (int i = 0; i < 3_000; i++) {
            server.data(1, false, "x");
            assertThat(client.next(DATA).payload()).isEqualTo("x");
            client.frame(PING, 0, 0, new byte[8]).frame(WINDOW_UPDATE, 0, 1, number(1));
        }

        assertThat(client.next(PING).flags()).isEqualTo(ACK);
    }

    @Test
    void a_client_that_is_gone_without_a_word_ends_its_calls() throws IOException {
        Http2Wire client = gateway.wire();
        call(client);
        Http2Wire server = accept();
        server.next(HEADERS);

        client.next(PING);

        assertThat(server.next(RST_STREAM).code()).isEqualTo(CANCEL);
        assertThat(client.connection().isClosedByPeer()).isTrue();
    }

    @Test
    void a_client_may_keep_its_window_shut_in_a_call() throws IOException {
        Http2Wire client = gateway.wire().frame(SETTINGS, 0, 0, setting(4, 0));
        call(client);
        client.data(1, true, "");
        Http2Wire server = accept();
        server.next(HEADERS);
        server.headers(1, false, ":status", "200").data(1, false, "hello");

        for (int i = 0; i < 3; i++) answerPing(client);

        client.frame(WINDOW_UPDATE, 0, 1, number(100));
        assertThat(client.next(DATA).payload()).isEqualTo("hello");
    }

    @Test
    void a_server_that_does_not_keep_to_the_clients_deadline_is_cancelled_and_the_client_told() throws IOException {
        Http2Wire client = gateway.wire();
        call(client, "grpc-timeout", "100m");
        client.data(1, true, "hello");
        Http2Wire server = accept();
        assertThat(server.fields(server.next(HEADERS))).contains(entry("grpc-timeout", "100m"));

        Http2Wire.Answer answer = client.answer(1);

        assertThat(answer.fields())
                .contains(entry(":status", "200"), entry("grpc-status", "4"))
                .containsKey("grpc-message");
        assertThat(server.next(RST_STREAM).code()).isEqualTo(CANCEL);
    }

    @Test
    void what_is_no_timeout_is_the_servers_to_refuse() throws IOException {
        Http2Wire client = gateway.wire();
        call(client, "grpc-timeout", "1 hour");
        client.data(1, true, "hello");
        Http2Wire server = accept();
        assertThat(server.fields(server.next(HEADERS))).contains(entry("grpc-timeout", "1 hour"));
        server.headers(1, true, ":status", "200", "content-type", "application/grpc", "grpc-status", "3");

        assertThat(client.answer(1).fields()).contains(entry("grpc-status", "3"));
    }
}
