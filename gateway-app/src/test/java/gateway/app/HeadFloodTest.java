package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Many connections, each with the beginning of a large head, against a program with a small heap: nobody else notices.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HeadFloodTest {
    private static final int CONNECTIONS = 600;
    private static final int PIECES = 7;
    private static final String GOOD = "GET /orders/1 HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";
    private static final String HOST = "GET / HTTP/1.1\r\nHost: a.example\r\n";

    private SampleService service;
    private GatewayProcess gateway;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        service = SampleService.start();
        gateway = GatewayProcess.start(data, Map.of(), "-Xmx256m");
        try (var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            admin.call("POST", "/apis", service.definition("orders", "Orders", "[]"));
        }
    }

    @AfterAll
    void stop() {
        gateway.close();
        service.close();
    }

    record Flood(String name, String head) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Flood> floods() {
        return List.of(
                new Flood("parameters of a query", "GET /?" + names(16_000, "&")),
                new Flood("parameters of a path", "GET /" + names(16_000, ";")),
                new Flood("a target in absolute form", "GET http://a.example/?" + names(16_000, "&")),
                new Flood("one long segment", "GET /" + "a".repeat(16_000)),
                new Flood("tiny headers", HOST + lines(i -> "x%d:y".formatted(i))),
                new Flood("large headers", HOST + lines(i -> "x%d: %s".formatted(i, "y".repeat(300)))),
                new Flood("one large header", HOST + "x: " + "y".repeat(32_000)),
                new Flood("cookies", HOST + "Cookie: " + names(32_000, "=1; ")));
    }

    /// As many distinct names as fit.
    private static String names(int bytes, String between) {
        return IntStream.range(0, bytes)
                .mapToObj(i -> between + Integer.toString(i, 36))
                .collect(Collectors.joining())
                .substring(0, bytes);
    }

    private static String lines(IntFunction<String> line) {
        return IntStream.range(0, 99).mapToObj(line).map(text -> text + "\r\n").collect(Collectors.joining());
    }

    @ParameterizedTest
    @MethodSource("floods")
    void unfinished_heads_take_no_more_than_their_share(Flood flood) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) clients.add(client().send(flood.head()));

            assertOthersAreServed();
        } finally {
            for (RawClient client : clients) client.close();
        }
    }

    @ParameterizedTest
    @MethodSource("floods")
    void nor_do_heads_in_pieces(Flood flood) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) clients.add(client());
            int size = flood.head().length() / PIECES + 1;
            for (int from = 0; from < flood.head().length(); from += size) {
                String piece = flood.head()
                        .substring(from, Math.min(from + size, flood.head().length()));
                for (RawClient client : clients) client.send(piece);
            }

            assertOthersAreServed();
        } finally {
            for (RawClient client : clients) client.close();
        }
    }

    private RawClient client() throws IOException {
        return new RawClient(gateway.address().getPort());
    }

    private void assertOthersAreServed() throws IOException {
        for (int i = 0; i < 20; i++) {
            assertThat(RawClient.exchange(gateway.address().getPort(), GOOD)).startsWith("HTTP/1.1 200 ");
        }
        assertThat(gateway.isAlive()).isTrue();
        assertThat(gateway.lines()).noneMatch(line -> line.contains("OutOfMemoryError"));
    }
}
