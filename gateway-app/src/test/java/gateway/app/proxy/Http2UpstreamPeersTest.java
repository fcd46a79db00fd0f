package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.FreePort;
import gateway.config.TargetDefinition;
import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import gateway.wire.tls.TestAuthority;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// HTTP/2 with upstream servers that others wrote, in the clear and over TLS. One that is not installed is skipped.
@Timeout(120)
final class Http2UpstreamPeersTest {
    private static final byte[] LARGE = new byte[5_000_000];

    /// Answers with what it was sent, in the clear or, when told key and certificate, by TLS.
    private static final String NODE = """
            const http2 = require("node:http2"), fs = require("node:fs");
            const [pem] = process.argv.slice(1);
            const server = pem
              ? http2.createSecureServer({ key: fs.readFileSync(pem), cert: fs.readFileSync(pem), allowHTTP1: true },
                    (request, response) => response.end("by HTTP/" + request.httpVersion))
              : http2.createServer();
            server.on("stream", (stream, headers) => {
              if (pem) return;
              stream.respond({ ":status": 200, "x-method": headers[":method"], "set-cookie": ["a=1", "b=2"] },
                  { waitForTrailers: true });
              stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
              stream.pipe(stream);
              stream.on("error", () => {});
            });
            server.listen(0, "127.0.0.1", () => console.log(server.address().port));
            """;

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    static {
        for (int i = 0; i < LARGE.length; i++) LARGE[i] = (byte) ((i * 31) >> 3);
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process start(String... command) throws IOException {
        boolean installed = Arrays.stream((System.getenv("PATH") + ":/usr/sbin").split(":", -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, command[0])));
        assumeTrue(installed, command[0] + " is not installed");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        processes.add(process);
        return process;
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private int node(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("node", "-e", NODE));
        command.addAll(List.of(arguments));
        return Integer.parseInt(output(start(command.toArray(String[]::new))).readLine());
    }

    private static TargetDefinition clear(int port) {
        return new TargetDefinition(URI.create("http://127.0.0.1:" + port), 1).by(UpstreamProtocol.H2C);
    }

    private static HttpResponse<byte[]> post(Http2Gateway gateway, byte[] body) throws Exception {
        return gateway.client()
                .send(
                        gateway.request("/x")
                                .POST(BodyPublishers.ofByteArray(body))
                                .build(),
                        BodyHandlers.ofByteArray());
    }

    /// The JDK's client reads no answer before it has sent its request: all that comes meanwhile must fit into the
    /// 64 MiB of its connection's window.
    @Test
    void node_echoes_large_bodies_of_many_requests_at_once() throws Exception {
        byte[] content = Arrays.copyOf(LARGE, 1_000_000);
        try (Http2Gateway gateway = Http2Gateway.inFrontOf(OneRoute.patientlyTo(clear(node())))) {
            gateway.connect();
            List<CompletableFuture<HttpResponse<byte[]>>> answers = IntStream.range(0, 20)
                    .mapToObj(i -> gateway.client()
                            .sendAsync(
                                    gateway.request("/" + i)
                                            .POST(BodyPublishers.ofByteArray(content))
                                            .build(),
                                    BodyHandlers.ofByteArray()))
                    .toList();

            for (var each : answers) {
                HttpResponse<byte[]> answer = each.get();
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo(content);
                assertThat(answer.headers().firstValue("x-method")).contains("POST");
                assertThat(answer.headers().allValues("set-cookie")).containsExactly("a=1", "b=2");
            }
        }
    }

    @Test
    void node_is_reached_by_clients_of_http_1_too() throws Exception {
        try (Http2Gateway gateway = Http2Gateway.inFrontOf(OneRoute.patientlyTo(clear(node())));
                RawConnection client = gateway.plain()) {
            client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");

            String head = client.readHead();
            assertThat(head).startsWith("HTTP/1.1 200 ").contains("x-method: POST", "Connection: close");
            assertThat(client.readToEnd()).isEqualTo("05\r\nhello\r\n0\r\ngrpc-status: 0\r\n\r\n");
        }
    }

    @Test
    void nghttpd_serves_files_to_many_requests_at_once() throws Exception {
        Files.write(folder.resolve("large"), LARGE);
        int port = FreePort.take();
        Process server = start("nghttpd", "--no-tls", "-v", "-a", "127.0.0.1", "-d", folder.toString(), port + "");
        BufferedReader told = output(server);
        assertThat(told.readLine()).contains("listen");
        Thread.ofVirtual().start(() -> told.lines().forEach(line -> {}));
        try (Http2Gateway gateway = Http2Gateway.inFrontOf(OneRoute.patientlyTo(clear(port)))) {
            gateway.connect();
            List<CompletableFuture<HttpResponse<byte[]>>> answers = IntStream.range(0, 50)
                    .mapToObj(i ->
                            gateway.client().sendAsync(gateway.request("/large").build(), BodyHandlers.ofByteArray()))
                    .toList();

            for (var each : answers) assertThat(each.get().body()).isEqualTo(LARGE);
        }
    }

    private TargetDefinition secure(TestAuthority authority, int port, UpstreamProtocol protocol) throws IOException {
        Path ca = authority.write(folder.resolve("ca.pem"));
        var tls = new UpstreamTls(Optional.of(ca), Optional.empty(), Optional.empty(), "localhost", List.of());
        return new TargetDefinition(URI.create("https://127.0.0.1:" + port), 1, Optional.of(tls), protocol);
    }

    @Test
    void alpn_chooses_http_2_with_node() throws Exception {
        var authority = new TestAuthority();
        Path own = authority.issue("localhost", "localhost").write(folder.resolve("own.pem"));
        int port = node(own.toString());

        assertThat(served(secure(authority, port, UpstreamProtocol.H2))).isEqualTo("by HTTP/2.0");
        assertThat(served(secure(authority, port, UpstreamProtocol.AUTO))).isEqualTo("by HTTP/2.0");
        assertThat(served(secure(authority, port, UpstreamProtocol.HTTP1))).isEqualTo("by HTTP/1.1");
    }

    private static String served(TargetDefinition target) throws Exception {
        try (Http2Gateway gateway = Http2Gateway.inFrontOf(OneRoute.patientlyTo(target))) {
            String first = new String(post(gateway, new byte[3]).body(), StandardCharsets.UTF_8);
            assertThat(new String(post(gateway, new byte[3]).body(), StandardCharsets.UTF_8))
                    .isEqualTo(first);
            return first;
        }
    }

    @Test
    void a_server_that_knows_no_http_2_is_502_or_spoken_to_by_http_1_where_alpn_chooses() throws Exception {
        var authority = new TestAuthority();
        try (var server = new SecureUpstream(authority, authority.issue("localhost", "localhost"))) {
            int port = URI.create(server.url()).getPort();
            try (Http2Gateway strict =
                    Http2Gateway.inFrontOf(OneRoute.patientlyTo(secure(authority, port, UpstreamProtocol.H2)))) {
                assertThat(post(strict, new byte[3]).statusCode()).isEqualTo(502);
            }
            assertThat(served(secure(authority, port, UpstreamProtocol.AUTO))).startsWith("localhost from nobody");
        }
    }

    @Test
    void nginx_serves_by_http_2_over_tls_and_its_goaway_loses_no_request() throws Exception {
        var authority = new TestAuthority();
        Path own = authority.issue("localhost", "localhost").write(folder.resolve("own.pem"));
        Files.write(folder.resolve("large"), LARGE);
        int port = FreePort.take();
        Path config = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off; master_process off; pid FOLDER/pid; error_log stderr notice; events {}
                http { access_log off; client_body_temp_path FOLDER/b; proxy_temp_path FOLDER/p;
                  fastcgi_temp_path FOLDER/f; uwsgi_temp_path FOLDER/u; scgi_temp_path FOLDER/s;
                  server { listen 127.0.0.1:PORT ssl http2; ssl_certificate FOLDER/own.pem;
                    ssl_certificate_key FOLDER/own.pem; root FOLDER; keepalive_requests 20; } }
                """.replace("FOLDER", folder.toString())
                .replace("PORT", port + ""));
        assertThat(own).exists();
        Process server = start("nginx", "-c", config.toString());
        BufferedReader told = output(server);
        String line = told.readLine();
        while (line != null && !line.contains("start worker") && !line.contains("OS:")) line = told.readLine();
        Thread.ofVirtual().start(() -> told.lines().forEach(each -> {}));
        try (Http2Gateway gateway =
                Http2Gateway.inFrontOf(OneRoute.patientlyTo(secure(authority, port, UpstreamProtocol.H2)))) {
            gateway.connect();
            List<CompletableFuture<HttpResponse<byte[]>>> answers = IntStream.range(0, 60)
                    .mapToObj(i ->
                            gateway.client().sendAsync(gateway.request("/large").build(), BodyHandlers.ofByteArray()))
                    .toList();

            for (var each : answers) {
                assertThat(each.get().statusCode()).isEqualTo(200);
                assertThat(each.get().body()).isEqualTo(LARGE);
            }
        }
    }
}
