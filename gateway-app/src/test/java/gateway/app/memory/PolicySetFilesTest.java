package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.DataOf01;
import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole gateway on a folder with policy sets that people wrote.
final class PolicySetFilesTest {
    @TempDir
    private Path data;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void a_shared_limit_counts_two_apis_together_and_another_each_apart() throws Exception {
        write("policy-sets/together.json", """
            {"policies": [{"type": "rate-limit", "by": "ip", "requests": 3, "per": "1h", "scope": "shared"}]}""");
        write("policy-sets/apart.json", """
            {"policies": [{"type": "rate-limit", "by": "ip", "requests": 3, "per": "1h"}]}""");
        api("a", "/a", "together");
        api("b", "/b", "together");
        api("c", "/c", "apart");
        api("d", "/d", "apart");

        try (var gateway = start()) {
            assertThat(statuses(gateway, "/a", "/b", "/a", "/b", "/a")).isEqualTo("502 502 502 429 429");
            assertThat(statuses(gateway, "/c", "/c", "/c", "/c", "/d")).isEqualTo("502 502 502 429 502");
        }
    }

    @Test
    void an_api_with_a_broken_set_answers_503_though_a_broader_one_would_take_its_requests() throws Exception {
        write(
                "policy-sets/gold.json",
                "{\"policies\": [{\"type\": \"rate-limit\", \"requests\": 0, \"per\": \"1s\"}]}");
        write("policy-sets/fine.json", "{\"policies\": []}");
        api("orders", "/orders", "gold");
        api("everything", "/", "fine");

        try (var gateway = start()) {
            HttpResponse<String> refused = call(gateway, "/orders/1");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("not-configured");
            assertThat(statuses(gateway, "/other")).isEqualTo("502");

            write("policy-sets/gold.json", "{\"policies\": []}");
            try (var admin = DataOf01.admin(gateway)) {
                admin.call("POST", "/reload", "");
            }
            assertThat(statuses(gateway, "/orders/1")).isEqualTo("502");
        }
    }

    private void api(String id, String path, String set) throws IOException {
        write("apis/" + id + ".json", """
            {"match": {"path": "%s"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "policies": [{"use": "%s"}]}""".formatted(path, set));
    }

    private void write(String file, String text) throws IOException {
        Path path = data.resolve(file);
        DurableFiles.createFolder(DurableFiles.parent(path));
        Files.writeString(path, text);
    }

    private Gateway start() {
        var settings = Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0", "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0", "GATEWAY_DATA", "" + data);
        return Gateway.start(Settings.read(Optional.empty(), settings));
    }

    /// 502 stands for a request that was let through, since nothing is where it goes.
    private String statuses(Gateway gateway, String... paths) throws IOException, InterruptedException {
        var statuses = new StringBuilder();
        for (String path : paths)
            statuses.append(' ').append(call(gateway, path).statusCode());
        return statuses.substring(1);
    }

    private HttpResponse<String> call(Gateway gateway, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
