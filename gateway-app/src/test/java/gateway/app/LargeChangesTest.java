package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Changes of many documents as large as they may be, sent to a program with the heap of the smallest tier.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LargeChangesTest {
    private static final int MOST = 16 * 1024 * 1024;
    private static final int APIS = 160;
    private static final int AT_ONCE = 8;

    private final HttpClient client = HttpClient.newHttpClient();
    private GatewayProcess gateway;
    private AdminClient admin;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        gateway = GatewayProcess.start(data, Map.of(), "-Xmx1200m", "-XX:MaxDirectMemorySize=250m");
        admin = AdminClient.of(gateway.admin("/"), gateway.token());
    }

    @AfterAll
    void stop() {
        client.close();
        admin.close();
        gateway.close();
    }

    @Test
    void all_of_sixteen_mebibytes_is_live_in_one_revision() throws Exception {
        HttpResponse<String> answer = send(filled("whole", MOST));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(Json.parse(answer.body()).get("changes").size()).isEqualTo(APIS);
        assertServesStill("whole");
    }

    @Test
    void of_eight_at_once_some_are_stored_and_the_others_told_to_come_again() throws Exception {
        String text = filled("together", MOST);
        int stored = 0;
        try (var senders = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Callable<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) all.add(() -> send(text));
            for (Future<HttpResponse<String>> each : senders.invokeAll(all)) {
                HttpResponse<String> answer = each.get();
                if (answer.statusCode() == 200) stored++;
                else assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
                if (answer.statusCode() == 503)
                    assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
            }
        }

        assertThat(stored).isPositive();
        assertServesStill("together");
    }

    @Test
    void one_byte_more_is_too_large_and_so_is_one_document_of_more_than_four_mebibytes() throws Exception {
        HttpResponse<String> larger = send(filled("larger", MOST + 1));
        HttpResponse<String> one = send("""
                {"put": [{"kind": "policy-sets", "document": {"id": "one", "policies": [%s, %s]}}]}""".formatted(mock(2_200_000), mock(2_200_000)));

        assertThat(larger.statusCode()).isEqualTo(413);
        assertThat(one.statusCode()).isEqualTo(422);
        assertThat(one.body()).contains("/policy-sets/one", "expected at most 4 MiB for one document");
    }

    private HttpResponse<String> send(String changes) throws IOException, InterruptedException {
        return admin.send("POST", "/admin/v1/changes", changes);
    }

    /// So many APIs below `/name`, and blanks up to `bytes`.
    private static String filled(String name, int bytes) {
        String documents = IntStream.range(0, APIS)
                .mapToObj(i -> """
                        {"kind": "apis", "document": {"id": "%1$s-%2$d", "match": {"path": "/%1$s/%2$d"},
                         "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}, "policies": [%3$s]}}""".formatted(name, i, mock(100_000)))
                .collect(Collectors.joining(",\n"));
        String text = "{\"put\": [" + documents + "]}";
        return text + " ".repeat(bytes - text.length());
    }

    private static String mock(int bytes) {
        return "{\"type\": \"mock-response\", \"status\": 200, \"body\": \"" + "x".repeat(bytes) + "\"}";
    }

    private void assertServesStill(String name) throws IOException, InterruptedException {
        assertThat(gateway.lines()).noneMatch(line -> line.contains("OutOfMemoryError"));
        assertThat(gateway.isAlive()).isTrue();
        for (int i : new int[] {0, APIS - 1}) {
            var request = HttpRequest.newBuilder(URI.create("http:/" + gateway.address() + "/" + name + "/" + i))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).hasSize(100_000);
        }
    }
}
