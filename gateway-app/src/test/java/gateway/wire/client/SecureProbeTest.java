package gateway.wire.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Ticks;
import gateway.net.AllowedNetworks;
import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import gateway.wire.tls.TestAuthority;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ServerCalls;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Checks of servers that speak TLS, over real sockets.
@Timeout(60)
final class SecureProbeTest {
    private static final Duration PATIENT = Duration.ofSeconds(40);

    @TempDir
    private Path folder;

    private final Resolver resolver = new Resolver(AllowedNetworks.USUAL, new FakeNames(), new Ticks());
    private final TestAuthority authority = new TestAuthority();
    private Path ca;

    @BeforeEach
    void write() {
        ca = authority.write(folder.resolve("ca.pem"));
    }

    /// Answers every request over TLS with `status`.
    private ServerSocket serving(TestAuthority of, int status) throws IOException {
        ServerSocket server = of.client(of.issue("orders", "orders.example"))
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    if (client.getInputStream().read() < 0) continue;
                    client.getOutputStream().write(("HTTP/1.1 " + status + " Whatever\r\n\r\n").getBytes(US_ASCII));
                } catch (IOException e) {
                    // the client was not let in, or the test is over
                }
            }
        });
        return server;
    }

    private HealthProbe probe(ServerSocket server, String name, List<String> pins, Duration timeout) {
        return probe(ProbeTerms.Kind.HTTP, server.getLocalPort(), name, pins, timeout);
    }

    private HealthProbe probe(ProbeTerms.Kind type, int port, String name, List<String> pins, Duration timeout) {
        return probe(type, port, name, pins, timeout, UpstreamProtocol.HTTP1);
    }

    private HealthProbe probe(
            ProbeTerms.Kind type,
            int port,
            String name,
            List<String> pins,
            Duration timeout,
            UpstreamProtocol protocol) {
        var terms = new ProbeTerms(type, "/up", status -> status >= 200 && status < 400, "", timeout);
        var tls = new UpstreamTls(Optional.of(ca), Optional.empty(), Optional.empty(), name, pins);
        var url = URI.create("https://127.0.0.1:" + port);
        return new HealthProbe(terms, Target.of(url, Optional.of(tls), protocol), resolver);
    }

    private HealthProbe probeByHttp2(int port, String name) {
        return probe(ProbeTerms.Kind.HTTP, port, name, List.of(), PATIENT, UpstreamProtocol.H2);
    }

    /// By Undertow's own HTTP/2.
    @Test
    void a_server_of_http_2_is_asked_by_it_over_tls() {
        var asked = new ConcurrentLinkedQueue<String>();
        var status = new AtomicInteger(204);
        Undertow server = Undertow.builder()
                .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                .setIoThreads(1)
                .setWorkerThreads(1)
                .addHttpsListener(0, "127.0.0.1", authority.client(authority.issue("orders", "orders.example")))
                .setHandler(exchange -> {
                    asked.add(exchange.getProtocol() + " " + exchange.getRequestScheme() + " "
                            + exchange.getRequestMethod() + " " + exchange.getRequestPath());
                    exchange.setStatusCode(status.get());
                })
                .build();
        server.start();
        try {
            var address =
                    (InetSocketAddress) server.getListenerInfo().getFirst().getAddress();
            HealthProbe probe = probeByHttp2(address.getPort(), "orders.example");

            assertThat(probe.isGood()).isTrue();
            status.set(503);
            assertThat(probe.isGood()).isFalse();
            assertThat(probeByHttp2(address.getPort(), "other.example").isGood())
                    .isFalse();
            probe(ProbeTerms.Kind.GRPC, address.getPort(), "orders.example", List.of(), PATIENT)
                    .isGood();
            assertThat(asked)
                    .containsExactly(
                            "HTTP/2.0 https GET /up",
                            "HTTP/2.0 https GET /up",
                            "HTTP/2.0 https POST /grpc.health.v1.Health/Check");
        } finally {
            server.stop();
        }
    }

    @Test
    void a_server_without_the_http_2_that_requests_go_by_is_not_well() throws IOException {
        try (ServerSocket server = serving(authority, 204)) {
            assertThat(probeByHttp2(server.getLocalPort(), "orders.example").isGood())
                    .isFalse();
            assertThat(probe(server, "orders.example", List.of(), PATIENT).isGood())
                    .isTrue();
        }
    }

    @Test
    void a_server_of_the_authority_is_judged_by_its_answer() throws IOException {
        try (ServerSocket well = serving(authority, 204);
                ServerSocket ill = serving(authority, 503)) {
            HealthProbe probe = probe(well, "orders.example", List.of(), PATIENT);

            assertThat(probe.isGood()).isTrue();
            assertThat(probe.isGood()).as("again").isTrue();
            assertThat(probe(ill, "orders.example", List.of(), PATIENT).isGood())
                    .isFalse();
        }
    }

    @Test
    void a_server_of_grpc_is_asked_by_http_2_over_tls() throws Exception {
        var own = authority.issue("orders", "orders.example");
        var keys = SslContextBuilder.forServer(own.keys().getPrivate(), own.certificate());
        var health = ServerServiceDefinition.builder("grpc.health.v1.Health")
                .addMethod(
                        GrpcProbeTest.method("grpc.health.v1.Health/Check"), ServerCalls.asyncUnaryCall((_, answer) -> {
                            answer.onNext(new byte[] {8, 1}); // SERVING
                            answer.onCompleted();
                        }));
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sslContext(GrpcSslContexts.configure(keys).build())
                .addService(health.build())
                .build()
                .start();
        try {
            assertThat(probe(ProbeTerms.Kind.GRPC, server.getPort(), "orders.example", List.of(), PATIENT)
                            .isGood())
                    .isTrue();
            assertThat(probe(ProbeTerms.Kind.GRPC, server.getPort(), "other.example", List.of(), PATIENT)
                            .isGood())
                    .isFalse();
        } finally {
            server.shutdownNow().awaitTermination();
        }
    }

    @Test
    void a_server_that_requests_would_not_go_to_is_not_well() throws IOException {
        try (ServerSocket server = serving(authority, 204);
                ServerSocket stranger = serving(new TestAuthority(), 204)) {
            assertThat(probe(server, "other.example", List.of(), PATIENT).isGood())
                    .isFalse();
            assertThat(probe(server, "orders.example", List.of("sha256/" + "A".repeat(43) + "="), PATIENT)
                            .isGood())
                    .isFalse();
            assertThat(probe(stranger, "orders.example", List.of(), PATIENT).isGood())
                    .isFalse();
        }
    }

    @Test
    void a_server_whose_authority_has_gone_is_not_well() throws IOException {
        try (ServerSocket server = serving(authority, 204)) {
            HealthProbe probe = probe(server, "orders.example", List.of(), PATIENT);
            Files.delete(ca);

            assertThat(probe.isGood()).isFalse();
        }
    }

    @Test
    void a_handshake_that_drips_does_not_outlast_the_check() throws IOException {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket client = server.accept();
                        InputStream in = client.getInputStream()) {
                    in.read();
                    byte[] longRecord = {22, 3, 3, 0x40, 0}; // 16,384 octets of a handshake, which never end
                    client.getOutputStream().write(longRecord);
                    while (true) {
                        client.getOutputStream().write(2);
                        LockSupport.parkNanos(50_000_000);
                    }
                } catch (IOException e) {
                    // given up
                }
            });

            assertThat(probe(server, "orders.example", List.of(), Duration.ofMillis(500))
                            .isGood())
                    .isFalse();
        }
    }
}
