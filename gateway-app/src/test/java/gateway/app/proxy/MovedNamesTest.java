package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.wire.client.FakeNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Names that move to other servers while requests for them never cease and the former servers go on.
@Timeout(60)
final class MovedNamesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final FakeNames names = new FakeNames();

    private static HttpServer server(String address, int port, String text) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0);
        byte[] body = text.getBytes(StandardCharsets.US_ASCII);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private DataPlane dataPlane(String upstream) throws IOException {
        ApiDefinition api = new DefinitionReader(PolicyRegistry.load())
                .read("{\"id\": \"orders\", \"match\": {\"path\": \"/\"}, \"upstream\": {" + upstream
                        + ", \"dnsRefresh\": \"1s\"}}");
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withIoThreads(1);
        return new DataPlane(settings, OneRoute.live(api, names.upstreams()::upstreamFor));
    }

    @Test
    void requests_without_a_pause_follow_a_name_to_another_address() throws IOException {
        HttpServer before = server("127.0.0.1", 0, "before");
        int port = before.getAddress().getPort();
        HttpServer after = server("127.0.0.2", port, "after");
        names.set("orders.test", "127.0.0.1");
        DataPlane dataPlane = dataPlane("\"targets\": [{\"url\": \"http://orders.test:" + port + "\"}]");
        try (RawConnection client = RawConnection.to(dataPlane.address())) {
            assertThat(client.send(GET).readAnswer()).endsWith("before");

            names.set("orders.test", "127.0.0.2");

            until(() -> client.send(GET).readAnswer().endsWith("after"));
            for (int i = 0; i < 100; i++)
                assertThat(client.send(GET).readAnswer()).endsWith("after");
            assertThat(dataPlane.upstreamPools()).hasSize(1);
            assertThat(dataPlane.upstreamPools().getFirst().open()).isEqualTo(1);
        } finally {
            dataPlane.stop(Duration.ZERO);
            before.stop(0);
            after.stop(0);
        }
    }

    @Test
    void a_connection_of_many_requests_ends_with_those_it_has_when_its_name_moves() throws IOException {
        names.set("orders.test", "127.0.0.1");
        try (var before = new RawUpstream()) {
            int port = Integer.parseInt(before.url().substring(before.url().lastIndexOf(':') + 1));
            DataPlane dataPlane =
                    dataPlane("\"targets\": [{\"url\": \"http://orders.test:" + port + "\"}], \"protocol\": \"h2c\"");
            try (var after = new RawUpstream(InetAddress.getByName("127.0.0.2"), port);
                    RawConnection slow = RawConnection.to(dataPlane.address()).send(GET);
                    RawConnection next = RawConnection.to(dataPlane.address())) {
                Http2Wire server = begun(before);
                assertThat(server.next(Http2Wire.HEADERS).stream()).isEqualTo(1);
                play(() -> answer(server, "before"));
                play(() -> answer(begun(after), "after"));
                assertThat(next.send(GET).readAnswer()).contains("before");

                names.set("orders.test", "127.0.0.2");

                until(() -> next.send(GET).readAnswer().contains("after"));
                server.headers(1, true, ":status", "200", "content-length", "0", "from", "the slow one");
                assertThat(slow.readAnswer()).contains("the slow one");
            } finally {
                dataPlane.stop(Duration.ZERO);
            }
        }
    }

    private static Http2Wire begun(RawUpstream upstream) throws IOException {
        Http2Wire server = Http2Wire.serving(upstream.accept());
        server.frame(Http2Wire.SETTINGS, 0, 0);
        return server;
    }

    private static void answer(Http2Wire server, String text) throws IOException {
        while (true) {
            int stream = server.next(Http2Wire.HEADERS).stream();
            server.headers(stream, true, ":status", "200", "content-length", "0", "from", text);
        }
    }

    private static void play(Played server) {
        Thread.ofVirtual().start(() -> {
            try {
                server.play();
            } catch (IOException e) {
                // nobody asks any more: the test is over
            }
        });
    }

    @FunctionalInterface
    private interface Played {
        void play() throws IOException;
    }
}
