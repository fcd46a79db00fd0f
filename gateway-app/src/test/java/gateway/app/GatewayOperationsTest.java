package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Operations of an API on a whole gateway, over HTTP.
final class GatewayOperationsTest {
    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void stop() {
        client.shutdownNow();
    }

    @Test
    void a_limit_of_an_operation_leaves_the_others_alone_and_is_told_by_explain_and_usage() throws Exception {
        try (Gateway gateway = gateway();
                AdminClient admin = AdminClient.of(
                        URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                        gateway.adminToken().reveal())) {
            admin.call("PUT", "/apis/shop", """
                    {"match": {"path": "/shop"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
                     "policies": [{"type": "key-auth"}, {"type": "mock-response", "status": 204}],
                     "operations": [{"id": "item", "match": {"methods": ["GET"], "path": "/items/{id}"},
                       "policies": [{"type": "rate-limit", "requests": 2, "per": "1h"}]}]}""");
            String secret = admin.issue("alice", "shop");

            assertThat(call(gateway, "GET", "/shop/items/7", secret)).isEqualTo(204);
            assertThat(call(gateway, "HEAD", "/shop/items/8", secret)).isEqualTo(204);
            assertThat(call(gateway, "GET", "/shop/items/%37?x=1", secret)).isEqualTo(429);
            assertThat(call(gateway, "GET", "/shop/items/7/../8", secret)).isNotEqualTo(204);
            assertThat(call(gateway, "PUT", "/shop/items/7", secret)).isEqualTo(204);
            assertThat(call(gateway, "GET", "/shop/items", secret)).isEqualTo(204);
            assertThat(call(gateway, "GET", "/shop/items/7", "wrong")).isEqualTo(401);

            assertThat(admin.call("POST", "/explain", "{\"path\": \"/shop/items/7\"}")
                            .toString())
                    .contains("\"step\":\"op:item/rate-limit\"");
            assertThat(admin.call("POST", "/explain", "{\"path\": \"/shop/items\"}")
                            .toString())
                    .doesNotContain("op:item");
            assertThat(admin.call("GET", "/keys/alice/usage", "").toString())
                    .contains("\"policy\":\"op:item/rate-limit\"", "\"remaining\":0");
        }
    }

    private Gateway gateway() {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString())));
    }

    private int call(Gateway gateway, String method, String path, String secret)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        var request = HttpRequest.newBuilder(uri)
                .method(method, BodyPublishers.noBody())
                .header("Authorization", "Bearer " + secret);
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }
}
