package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.END_HEADERS;
import static gateway.app.proxy.Http2Wire.PING;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.section;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AdminClient;
import gateway.app.GatewayProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many clients of HTTP/2 that each have the gateway hold what it can, against a program of its own with little memory.
final class Http2FloodTest {
    private static final int STREAMS = 128;
    private static final long AT_HAND = 2 * 2 * 32 * 1024; // what the purses of two IO threads keep at most

    @TempDir
    private Path data;

    /// What one connection sends, and how many do.
    enum Flood {
        ANSWERS_THAT_NOBODY_TAKES(28) {
            @Override
            byte[] octets() {
                var octets = new ByteArrayOutputStream();
                octets.writeBytes(Http2Wire.bytes(Http2Wire.SETTINGS, 0, 0, setting(4, 0)));
                for (int stream = 1; stream < 2 * STREAMS; stream += 2) octets.writeBytes(post("/nope", stream));
                return octets.toByteArray();
            }
        },
        CONTENT_THAT_NOBODY_READS(14) {
            @Override
            byte[] octets() {
                var octets = new ByteArrayOutputStream();
                for (int stream = 1; stream < 2 * STREAMS; stream += 2) octets.writeBytes(post("/slow", stream));
                for (int i = 0; i < 100; i++) octets.writeBytes(Http2Wire.bytes(Http2Wire.DATA, 0, 1, (byte) 'x'));
                return octets.toByteArray();
            }
        },
        FRAMES_OF_THREE_OCTETS(1000) {
            @Override
            byte[] octets() {
                return new byte[0];
            }
        },
        HEADS_WITHOUT_END(100) {
            @Override
            byte[] octets() {
                var octets = new ByteArrayOutputStream();
                octets.writeBytes(Http2Wire.bytes(Http2Wire.HEADERS, 0, 1, section(head("GET", "/nope"))));
                byte[] more = section("x", "y".repeat(16_000));
                for (int i = 0; i < 8; i++) octets.writeBytes(Http2Wire.bytes(Http2Wire.CONTINUATION, 0, 1, more));
                return octets.toByteArray();
            }
        };

        private final int connections;

        Flood(int connections) {
            this.connections = connections;
        }

        abstract byte[] octets();

        private static byte[] post(String path, int stream) {
            var octets = new ByteArrayOutputStream();
            octets.writeBytes(Http2Wire.bytes(Http2Wire.HEADERS, END_HEADERS, stream, section(head("POST", path))));
            octets.writeBytes(Http2Wire.bytes(Http2Wire.DATA, 0, stream, (byte) 'x'));
            return octets.toByteArray();
        }

        /// Opens a connection and sends what it is to send.
        Http2Wire open(GatewayProcess gateway) throws IOException {
            var client = new Http2Wire(gateway.address()).begin();
            var octets = new ByteArrayOutputStream();
            boolean inHead = this == HEADS_WITHOUT_END; // nothing but the rest of it may follow
            if (!inHead) octets.writeBytes(octets());
            octets.writeBytes(Http2Wire.bytes(PING, 0, 0, new byte[8]));
            octets.writeBytes(inHead ? octets() : new byte[] {0, 0, 8});
            client.connection().send(octets.toByteArray());
            client.next(PING);
            return client;
        }
    }

    private GatewayProcess start(FullBacklog slow, String heap) throws IOException {
        Path apis = Files.createDirectories(data.resolve("apis"));
        Files.writeString(apis.resolve("slow.json"), """
                {"id": "slow", "name": "Slow", "match": {"path": "/slow"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}], "connectTimeout": "60s"}}""".formatted(slow.port()));
        return GatewayProcess.start(
                data,
                Map.of("GATEWAY_HTTP2", "all", "GATEWAY_REQUESTS_IN_FLIGHT", "4000", "GATEWAY_IO_THREADS", "2"),
                heap,
                "-XX:MaxDirectMemorySize=16m");
    }

    @ParameterizedTest
    @EnumSource
    void a_flood_leaves_room_for_others_and_nothing_when_it_has_gone(Flood flood) throws Exception {
        try (var slow = new FullBacklog();
                GatewayProcess gateway = start(slow, "-Xmx256m")) {
            List<Http2Wire> clients = new ArrayList<>();
            for (int i = 0; i < flood.connections; i++) clients.add(flood.open(gateway));

            serves(gateway);
            for (Http2Wire client : clients) client.close();
            awaitNothingHeld(gateway);
            serves(gateway);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWERS_THAT_NOBODY_TAKES", "HEADS_WITHOUT_END"})
    void a_flood_past_all_memory_is_refused_and_outlived(Flood flood) throws Exception {
        try (var slow = new FullBacklog();
                GatewayProcess gateway = start(slow, "-Xmx64m")) {
            List<Http2Wire> clients = new ArrayList<>();
            for (int i = 0; i < 3 * flood.connections; i++) {
                try {
                    clients.add(flood.open(gateway));
                } catch (IOException e) {
                    // that is what the gateway may do about it
                }
            }

            awaitRefusals(gateway);
            for (Http2Wire client : clients) client.close();
            awaitNothingHeld(gateway);
            serves(gateway);
        }
    }

    private static void awaitRefusals(GatewayProcess gateway) throws Exception {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (reading(gateway, "gateway_memory_refused_total{kind=\"heads\"}")
                        + reading(gateway, "gateway_client_connections_refused_total{reason=\"memory\"}")
                == 0) {
            assertThat(System.nanoTime()).as("something is refused").isLessThan(until);
        }
    }

    private static void serves(GatewayProcess gateway) throws IOException {
        try (RawConnection client = RawConnection.to(gateway.address());
                var other = new Http2Wire(gateway.address()).begin()) {
            client.send("GET /nope HTTP/1.1\r\nHost: a.example\r\n\r\n");

            assertThat(client.readAnswer()).startsWith("HTTP/1.1 404 ");
            assertThat(other.get(1, "/nope").answer(1).status()).isEqualTo("404");
        }
    }

    private static void awaitNothingHeld(GatewayProcess gateway) throws Exception {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        for (String kind : List.of("heads", "frames")) {
            while (reading(gateway, "gateway_memory_held{kind=\"" + kind + "\"}") > AT_HAND) {
                assertThat(System.nanoTime()).as("all %s are gone", kind).isLessThan(until);
            }
        }
    }

    private static long reading(GatewayProcess gateway, String meter) throws Exception {
        String line = meter + " ";
        try (var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            return admin.get("/metrics")
                    .body()
                    .lines()
                    .filter(each -> each.startsWith(line))
                    .mapToLong(each -> (long) Double.parseDouble(each.substring(line.length())))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
