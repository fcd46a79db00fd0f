package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.DataOf01;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.OlderNodesException;
import gateway.service.Revision;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A Redis that version 0.1 has written opens as it is, and stays readable for it until there is something that it does
/// not know.
final class RedisOf01Test {
    private static final DocumentId GOLD = new DocumentId(DocumentKind.POLICY_SETS, "gold");

    @TempDir
    private Path data;

    private final RedisProcess redis = RedisProcess.start();

    @BeforeEach
    void restore() throws IOException {
        for (String line : Files.readAllLines(DataOf01.FOLDER.resolve("redis.ndjson"))) {
            redis.cli(Json.parse(line).valueStream().map(JsonNode::stringValue).toArray(String[]::new));
        }
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void a_gateway_starts_on_it_counts_on_and_rolls_back() throws Exception {
        var settings = Map.of(
                "GATEWAY_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN",
                "127.0.0.1:0",
                "GATEWAY_DATA",
                "" + data,
                "GATEWAY_STORE",
                redis.uri(),
                "GATEWAY_REDIS_DEADLINE",
                "2s");
        try (var gateway = Gateway.start(Settings.read(Optional.empty(), settings))) {
            DataOf01.check(gateway, "redis.secret");
        }
    }

    @Test
    void apis_stay_where_0_1_reads_them_until_there_is_another_kind() {
        try (var stores = open()) {
            commit(stores, 4, DocumentId.api("new"), Optional.of("{}"));

            assertThat(redis.cli("GET", "{gw:definitions}:revision")).isEqualTo("4");
            assertThat(redis.cli("HGET", "{gw:definitions}:documents", "new")).isEqualTo("{}");

            commit(stores, 5, GOLD, Optional.of("{\"id\":\"gold\"}"));

            assertThat(stores.definitions().load().ids(DocumentKind.APIS))
                    .containsExactly("catalogue", "new", "orders");
            assertThat(stores.definitions().load().text(GOLD)).contains("{\"id\":\"gold\"}");
            assertThat(stores.definitions().revisions(Long.MAX_VALUE, 10))
                    .extracting(Revision::number)
                    .containsExactly(5L, 4L, 3L, 2L, 1L);
            assertThat(redis.cli("GET", "{gw:definitions}:revision")).isEmpty();
            assertThat(redis.cli("HGETALL", "{gw:definitions}:documents")).startsWith("WRONGTYPE");

            commit(stores, 6, GOLD, Optional.empty());

            assertThat(stores.definitions().load().revision()).isEqualTo(6);
            assertThat(redis.cli("HGETALL", "{gw:definitions}:documents")).startsWith("WRONGTYPE");
        }
    }

    @Test
    void another_kind_is_refused_while_a_node_of_0_1_listens_and_apis_are_not() throws Exception {
        try (var stores = open();
                var other = open();
                var older = olderNode()) {
            assertThatThrownBy(() -> commit(stores, 4, GOLD, Optional.of("{}")))
                    .isInstanceOf(OlderNodesException.class)
                    .hasMessageContaining("nodes of version 0.1 are connected");
            assertThat(redis.cli("HGET", "{gw:definitions}:documents", "policy-sets/gold"))
                    .isEmpty();

            commit(stores, 4, DocumentId.api("new"), Optional.of("{}"));

            assertThat(other.definitions().load().revision()).isEqualTo(4);
            assertThat(older.getInputStream().read()).isEqualTo('*'); // told of it
        }
        try (var stores = open()) {
            until(() ->
                    redis.cli("PUBSUB", "NUMSUB", "{gw:definitions}:changed").endsWith("0"));

            commit(stores, 5, GOLD, Optional.of("{}"));

            assertThat(stores.definitions().load().text(GOLD)).contains("{}");
        }
    }

    /// What a node of 0.1 does to hear of revisions.
    private Socket olderNode() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), redis.port());
        String channel = "{gw:definitions}:changed";
        String subscribe = "*2\r\n$9\r\nSUBSCRIBE\r\n$" + channel.length() + "\r\n" + channel + "\r\n";
        socket.getOutputStream().write(subscribe.getBytes(StandardCharsets.US_ASCII));
        String reply = "*3\r\n$9\r\nsubscribe\r\n$" + channel.length() + "\r\n" + channel + "\r\n:1\r\n";
        assertThat(socket.getInputStream().readNBytes(reply.length()))
                .asString()
                .isEqualTo(reply);
        return socket;
    }

    private RedisStores open() {
        return RedisStores.open(RedisSettings.of(redis.uri()), InstantSource.system());
    }

    private static void commit(RedisStores stores, long number, DocumentId id, Optional<String> text) {
        var before = stores.definitions().load().text(id);
        var change = new DefinitionChange(id, before, text);
        stores.definitions().commit(new Revision(number, Instant.EPOCH, "token:ab12", "PUT " + id, List.of(change)));
    }
}
