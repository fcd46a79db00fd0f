package gateway.app.peers;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.redis.RedisProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// HAProxy, which sends to nodes that say ready, while Redis is away.
@Timeout(180)
final class ReadinessBehindHaproxyTest {
    private static final int REQUESTS = 300;

    @TempDir
    private Path root;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final RedisProcess redis = RedisProcess.start();
    private Peers peers;
    private Gateway serving;
    private Gateway strict;
    private PeerProcess beforeServing;
    private PeerProcess beforeStrict;

    @BeforeEach
    void start() throws Exception {
        peers = new Peers(root);
        serving = gateway("serving");
        strict = gateway("strict");
        define("open", "");
        define(
                "counted-here",
                "{\"type\": \"rate-limit\", \"requests\": 9999, \"per\": \"1h\", \"by\": \"ip\","
                        + " \"onOutage\": \"local\"},");
        define("counted-in-redis", "{\"type\": \"rate-limit\", \"requests\": 9999, \"per\": \"1h\", \"by\": \"ip\"},");
        beforeServing = haproxy(serving);
        beforeStrict = haproxy(strict);
        for (PeerProcess haproxy : new PeerProcess[] {beforeServing, beforeStrict})
            until(() -> status(haproxy, "/open") == 200 && status(haproxy, "/counted-in-redis") == 200);
    }

    @AfterEach
    void stop() {
        peers.close();
        strict.close();
        serving.close();
        client.close();
    }

    @Test
    void what_does_without_redis_is_served_on_unless_the_node_is_to_be_strict() throws Exception {
        redis.close();
        until(() -> status(beforeServing, "/counted-in-redis") == 503 && status(beforeStrict, "/open") == 503);

        for (int i = 0; i < REQUESTS; i++) {
            assertThat(status(beforeServing, "/open")).isEqualTo(200);
            assertThat(status(beforeServing, "/counted-here")).isEqualTo(200);
        }
        assertThat(status(beforeStrict, "/open")).isEqualTo(503);
    }

    private PeerProcess haproxy(Gateway gateway) {
        int admin = gateway.adminAddress().getPort();
        String place = "127.0.0.1:" + gateway.address().getPort();
        return peers.add(Haproxy.start(
                peers.folder(),
                place + " check port " + admin + " inter 100ms fall 2 rise 1",
                "option httpchk GET /health/ready",
                "timeout check 10s"));
    }

    private Gateway gateway(String readiness) {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN",
                        "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN",
                        "127.0.0.1:0",
                        "GATEWAY_DATA",
                        root.resolve(readiness).toString(),
                        "GATEWAY_DRAIN_TIMEOUT",
                        "1s",
                        "GATEWAY_READINESS",
                        readiness,
                        "GATEWAY_NODE",
                        readiness,
                        "GATEWAY_STORE",
                        redis.uri())));
    }

    /// @param policies before the one that answers, each with its comma
    private void define(String id, String policies) throws Exception {
        URI base = URI.create("http://127.0.0.1:" + serving.adminAddress().getPort());
        try (var admin = AdminClient.of(base, serving.adminToken().reveal())) {
            admin.call("PUT", "/apis/" + id, """
                    {"id": "%s", "match": {"path": "/%s"}, "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]},
                     "policies": [%s {"type": "mock-response", "status": 200, "body": "here"}]}""".formatted(id, id, policies));
        }
    }

    private int status(PeerProcess haproxy, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(haproxy.url() + path)).build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }
}
