package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What requests under way are charged for, held against the heap that they take.
final class HeadCostTest {
    private static final int REQUESTS = 200;
    private static final Pattern LIVE = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    private static final Pattern HELD =
            Pattern.compile("(?m)^gateway_memory_held\\{kind=\"(heads|connections)\"} ([\\d.E]+)");

    private final List<RawClient> clients = new ArrayList<>();
    private final List<Socket> waiting = new ArrayList<>();
    private ServerSocket silent;
    private GatewayProcess gateway;
    private AdminClient admin;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        silent = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        gateway = GatewayProcess.start(data, Map.of(), "-Xmx512m");
        admin = AdminClient.of(gateway.admin("/"), gateway.token());
        admin.call("POST", "/apis", """
                {"id": "slow", "match": {"path": "/"}, "upstream":
                 {"timeout": "10m", "responseTimeout": "10m", "targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(silent.getLocalPort()));
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) client.close();
        admin.close();
        gateway.close();
        for (Socket each : waiting) each.close();
        silent.close();
    }

    record Head(String name, String text) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Head> heads() {
        String host = "Host: a.example\r\n";
        return List.of(
                new Head("a short one", "GET / HTTP/1.1\r\n" + host + "\r\n"),
                new Head("a long target", "GET /" + "a".repeat(8_000) + " HTTP/1.1\r\n" + host + "\r\n"),
                new Head("a long query", "GET /?" + "a&".repeat(4_000) + " HTTP/1.1\r\n" + host + "\r\n"),
                new Head("many lines", "GET / HTTP/1.1\r\n" + host + lines(90, 3) + "\r\n"),
                new Head("many bytes", "GET / HTTP/1.1\r\n" + host + lines(30, 500) + "\r\n"));
    }

    private static String lines(int count, int length) {
        return IntStream.range(0, count)
                .mapToObj(i -> "x%d: %s\r\n".formatted(i, "y".repeat(length)))
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @MethodSource("heads")
    void a_request_is_charged_what_it_takes(Head head) throws Exception {
        ask(head, 50); // classes and pools
        long live = liveBytes();
        double held = heldBytes();

        ask(head, REQUESTS);
        double charged = (heldBytes() - held) / REQUESTS;
        double taken = (double) (liveBytes() - live) / REQUESTS;

        assertThat(taken).isBetween(charged / 4, charged);
    }

    /// As many clients more, whose requests the upstream has read and does not answer.
    private void ask(Head head, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            clients.add(new RawClient(gateway.address().getPort()).send(head.text()));
            Socket upstream = silent.accept();
            waiting.add(upstream);
            readHead(upstream);
        }
    }

    private static void readHead(Socket from) throws IOException {
        int ends = 0;
        while (ends < 4) ends = from.getInputStream().read() == "\r\n\r\n".charAt(ends) ? ends + 1 : 0;
    }

    private long liveBytes() throws IOException {
        var jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(gateway.pid()),
                        "GC.class_histogram")
                .start();
        Matcher total = LIVE.matcher(new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertThat(total.find()).isTrue();
        return Long.parseLong(total.group(1));
    }

    private double heldBytes() throws IOException, InterruptedException {
        Matcher held = HELD.matcher(admin.get("/metrics").body());
        double sum = 0;
        while (held.find()) sum += Double.parseDouble(held.group(2));
        return sum;
    }
}
