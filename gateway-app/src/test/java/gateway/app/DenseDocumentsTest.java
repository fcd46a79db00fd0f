package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Admin bodies as large as they may be, of very many small values, sent to a program with a small heap.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DenseDocumentsTest {
    private static final int BODY = 4_000_000;
    private static final int AT_ONCE = 8;

    private SampleService service;
    private GatewayProcess gateway;
    private AdminClient admin;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        service = SampleService.start();
        gateway = GatewayProcess.start(data, Map.of(), "-Xmx256m");
        admin = AdminClient.of(gateway.admin("/"), gateway.token());
    }

    @AfterAll
    void stop() {
        admin.close();
        gateway.close();
        service.close();
    }

    record Document(String name, String before, String each, String after) {
        String filledTo(int bytes) {
            int times = (bytes - before.length() - after.length()) / (each.length() + 1);
            return before + String.join(",", Collections.nCopies(times, each)) + after;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    List<Document> documents() {
        String policies = "{\"id\": \"o\", \"match\": {\"path\": \"/o\"}, \"policies\": [";
        return List.of(
                new Document("empty arrays", "[", "[]", "]"),
                new Document("empty objects", "[", "{}", "]"),
                new Document("numbers", "[", "1", "]"),
                new Document("empty policies", policies, "{}", "]}"),
                new Document("right policies", policies, "{\"type\":\"response-headers\"}", "]}"),
                new Document("versions", "{\"id\": \"o\", \"versions\": [", "{\"name\":\"v\"}", "]}"));
    }

    @ParameterizedTest
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a heap without room is slow first
    @MethodSource("documents")
    void many_small_values_are_refused_before_they_fill_the_heap(Document document) throws Exception {
        String text = document.filledTo(BODY);
        try (var senders = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Callable<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) all.add(() -> admin.send("POST", "/admin/v1/validate", text));
            for (Future<HttpResponse<String>> answer : senders.invokeAll(all)) {
                assertThat(answer.get().statusCode()).as(answer.get().body()).isIn(422, 503);
            }
        }
        assertServesStill();
    }

    private void assertServesStill() throws IOException, InterruptedException {
        assertThat(gateway.lines()).noneMatch(line -> line.contains("OutOfMemoryError"));
        assertThat(gateway.isAlive()).isTrue();
        var answer = admin.send("POST", "/admin/v1/validate", service.definition("orders", "Orders", "[]"));
        assertThat(Json.parse(answer.body()).path("valid").asBoolean()).isTrue();
    }
}
