package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.ACK;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.PING;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.config.UpstreamDefinition;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients of gRPC choose their deadlines as they like: none of them takes a server from the others.
@Timeout(60)
final class GrpcClientDeadlinesTest {
    private static final String EAGER =
            ", \"circuitBreaker\": {\"minRequests\": 2, \"open\": \"1h\"}, \"ejection\": {\"failures\": 2, \"time\": \"1h\"}";

    private RawUpstream upstream;
    private Http2Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = new RawUpstream();
        gateway = Http2Gateway.inFrontOf(eager(upstream.url()));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    private static UpstreamDefinition eager(String url) {
        String targets = "\"protocol\": \"h2c\", \"targets\": [{\"url\": \"" + url + "\"}]" + EAGER;
        return new DefinitionReader(PolicyRegistry.load())
                .read("{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {" + targets + "}}")
                .upstream();
    }

    private static void call(Http2Wire client, int stream, String... more) throws IOException {
        client.post(stream, "/s/m", Http2Wire.joined(new String[] {"content-type", "application/grpc"}, more));
        client.data(stream, true, "hello");
    }

    private Http2Wire accept() throws IOException {
        return Http2Wire.serving(upstream.accept()).frame(SETTINGS, 0, 0);
    }

    /// The head of the request that has the field `tag`, some of those before not having been sent at all.
    private static Http2Wire.Frame tagged(Http2Wire server) throws IOException {
        while (true) {
            Http2Wire.Frame head = server.next(HEADERS);
            if (server.fields(head).containsKey("tag")) return head;
        }
    }

    @Test
    void deadlines_that_pass_before_the_answer_leave_breaker_and_target_alone() throws IOException {
        Http2Wire client = gateway.wire();
        call(client, 1, "grpc-timeout", "50m");
        Http2Wire server = accept();
        assertThat(client.answer(1).fields()).contains(entry("grpc-status", "4"));
        for (int stream = 3; stream < 13; stream += 2) {
            call(client, stream, "grpc-timeout", "1m");
            assertThat(client.answer(stream).fields()).contains(entry("grpc-status", "4"));
        }

        call(client, 13, "tag", "last");
        int last = tagged(server).stream();
        server.headers(last, true, ":status", "200", "grpc-status", "0");

        assertThat(client.answer(13).fields()).contains(entry("grpc-status", "0"));
    }

    @Test
    void deadlines_that_pass_in_the_midst_of_an_answer_leave_breaker_and_target_alone() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire server = null;
        for (int stream = 1; stream < 7; stream += 2) {
            call(client, stream, "grpc-timeout", "700m", "tag", "watch");
            if (server == null) server = accept();
            server.headers(tagged(server).stream(), false, ":status", "200");
            client.next(RST_STREAM);
        }

        call(client, 7, "tag", "last");
        server.headers(tagged(server).stream(), true, ":status", "200", "grpc-status", "0");

        assertThat(client.answer(7).fields()).contains(entry("grpc-status", "0"));
    }

    @Test
    void only_calls_of_grpc_have_such_a_deadline() throws IOException {
        Http2Wire client = gateway.wire().post(1, "/plain", "grpc-timeout", "1m", "tag", "plain");
        client.data(1, true, "hello");
        Http2Wire server = accept();
        Http2Wire.Frame plain = tagged(server);
        call(client, 3, "grpc-timeout", "300m");
        assertThat(client.answer(3).fields()).contains(entry("grpc-status", "4"));

        server.headers(plain.stream(), true, ":status", "201");

        assertThat(client.answer(1).status()).isEqualTo("201");
    }

    /// Servers of gRPC end connections that are pinged more often than every five minutes.
    @Test
    void clients_cannot_have_a_server_pinged_again_and_again() throws IOException {
        Http2Wire client = gateway.wire();
        for (int i = 0; i < 4; i++) call(client, 2 * i + 1, "grpc-timeout", 1500 * (i + 1) + "m");
        Http2Wire server = accept();

        int pings = 0;
        for (int ended = 0; ended < 4; ) {
            Http2Wire.Frame frame = server.next();
            if (frame.type() == RST_STREAM) ended++;
            if (frame.type() != PING) continue;
            pings++;
            server.frame(PING, ACK, 0, frame.octets());
        }

        assertThat(pings).isLessThan(2);
    }
}
