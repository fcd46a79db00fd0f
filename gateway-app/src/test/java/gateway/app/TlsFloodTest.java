package gateway.app;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that begin TLS and do not go on, many at once, against a gateway with little memory outside of the heap.
/// Whoever else comes is served meanwhile.
final class TlsFloodTest {
    private static final int CLIENTS = 800;
    private static final String MOCK = """
            {"id": "mock", "name": "Mock", "match": {"path": "/"},
             "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]},
             "policies": [{"type": "mock-response", "status": 200, "body": "hello"}]}""";
    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Socket> clients = new ArrayList<>();
    private GatewayProcess gateway;
    private int securePort;

    @BeforeEach
    void start() throws IOException {
        Path certificate = authority.issue("localhost", "localhost").write(folder.resolve("a.pem"));
        Path data = folder.resolve("data");
        Files.createDirectories(data.resolve("apis"));
        Files.writeString(data.resolve("apis/mock.json"), MOCK);
        gateway = GatewayProcess.start(
                data,
                Map.of(
                        "GATEWAY_TLS_LISTEN", "127.0.0.1:0",
                        "GATEWAY_TLS_CERTIFICATES", certificate.toString(),
                        "GATEWAY_IO_THREADS", "2"),
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=24m");
        Matcher told = Pattern.compile("TLS on .*:(\\d+)").matcher(gateway.awaitLine("TLS on "));
        assertThat(told.find()).isTrue();
        securePort = Integer.parseInt(told.group(1));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket client : clients) client.close();
        gateway.close();
        http.close();
    }

    @Test
    void five_bytes_of_a_hello_from_each_keep_nobody_else_out() throws Exception {
        for (int i = 0; i < CLIENTS; i++) begin(new byte[] {22, 3, 1, 2, 0});
        until(() -> metric("gateway_tls_handshakes") == CLIENTS);

        assertThat(overTls()).endsWith("hello");
        assertThat(inTheClear()).endsWith("hello");
        assertThat(threads()).contains("I/O-1").doesNotContain("reserveMemory");
        assertThat(page("/health/ready").statusCode()).isEqualTo(200);
        assertThat(metric("gateway_client_connections")).isEqualTo(CLIENTS);

        for (Socket client : clients) client.close();
        until(() -> metric("gateway_client_connections") == 0);
        assertThat(metric("gateway_tls_handshakes_failed_total")).isEqualTo(CLIENTS);
        assertThat(metric("gateway_memory_held{kind=\"records\"}")).isLessThanOrEqualTo(2 * 64 * 1024);
        assertThat(metric("gateway_memory_held{kind=\"engines\"}")).isLessThanOrEqualTo(2 * 64 * 1024);
    }

    @Test
    void no_more_are_let_in_than_there_is_memory_for() throws Exception {
        long most = metric("gateway_client_connections_limit");
        assertThat(most).as("one for 16 KiB of direct memory").isEqualTo(24 * 64);

        for (int i = 0; i < most + 200; i++) begin(new byte[] {22, 3, 1, 2, 0});
        until(() -> metric("gateway_client_connections_refused_total{reason=\"memory\"}")
                        + metric("gateway_tls_handshakes_failed_total") // the oldest make room for newcomers
                >= 200 - 2);
        assertThat(metric("gateway_client_connections"))
                .isLessThanOrEqualTo(most + 2); // each IO thread counts one until it has closed it
        assertThat(page("/health/ready").statusCode()).isEqualTo(200);

        for (Socket client : clients) client.close();
        until(() -> metric("gateway_client_connections") == 0);
        assertThat(overTls()).endsWith("hello");
        assertThat(inTheClear()).endsWith("hello");
    }

    private long metric(String series) {
        return page("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + series));
    }

    private HttpResponse<String> page(String path) {
        try {
            return http.send(HttpRequest.newBuilder(gateway.admin(path)).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What the threads of the gateway do.
    private String threads() throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process = new ProcessBuilder(jcmd, Long.toString(gateway.pid()), "Thread.print").start();
        return new String(process.getInputStream().readAllBytes(), ISO_8859_1);
    }

    private void begin(byte[] bytes) throws IOException {
        var client = new Socket(InetAddress.getLoopbackAddress(), securePort);
        clients.add(client);
        try {
            client.getOutputStream().write(bytes);
        } catch (IOException e) {
            // it was closed at the door
        }
    }

    private String inTheClear() throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.address().getPort())) {
            return exchange(socket);
        }
    }

    private String overTls() throws IOException {
        try (Socket socket =
                authority.client().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), securePort)) {
            return exchange(socket);
        }
    }

    private static String exchange(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(GET.getBytes(ISO_8859_1));
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
}
