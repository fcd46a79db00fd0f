package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AdminClient;
import gateway.app.GatewayProcess;
import gateway.app.SampleService;
import gateway.json.Json;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.Revision;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The whole program with a small heap, given definitions whose expressions would fill any.
@Timeout(value = 5, unit = java.util.concurrent.TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileDefinitionsTest {
    private static final String BOMB = "((a{1000}){1000}){1000}";

    @TempDir
    private Path data;

    private SampleService upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = SampleService.start();
    }

    @AfterEach
    void stop() {
        upstream.close();
    }

    @Test
    void an_expression_that_would_fill_the_heap_is_answered_422_and_the_process_lives() throws Exception {
        try (var gateway = start(Map.of());
                var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            for (String regex :
                    List.of(BOMB, "(?:(?:a{1,1000}){1,1000}){1,1000}", "(?i)\u1c80", "\u1c80", "(".repeat(100_000))) {
                var answer = admin.send("POST", "/admin/v1/validate", api("a", regex));

                assertThat(answer.statusCode()).as(regex).isEqualTo(422);
                assertThat(answer.body()).contains("/policies/0/block/0/regex");
            }
            assertThat(admin.send("POST", "/admin/v1/validate", api("a", BOMB)).body())
                    .contains("expected at most 3000 instructions, repetitions written out, got 1002002002");
            assertThat(admin.send("PUT", "/admin/v1/apis/a", api("a", BOMB)).statusCode())
                    .isEqualTo(422);
            assertThat(gateway.isAlive()).isTrue();
        }
    }

    @Test
    void many_expressions_each_allowed_are_refused_together() throws Exception {
        try (var gateway = start(Map.of());
                var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            String many = IntStream.range(0, 350)
                    .mapToObj(i -> rules("a" + i, "{\"regex\": \"(){900}\"},".repeat(35) + "{\"regex\": \"b\"}"))
                    .collect(Collectors.joining(",", "[", "]"));

            var answer = admin.send("POST", "/admin/v1/validate", many);

            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).contains("in the regular expressions of all definitions");
            assertThat(admin.send("POST", "/admin/v1/validate", api("b", "/[a-z]+"))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void the_largest_expression_that_is_taken_is_matched_on_the_thread_that_serves() throws Exception {
        try (var gateway = start(Map.of());
                var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            for (String regex : List.of("(a*){590}", "((a*)*){320}", "(){990}", "(?:a{0,50}){28}")) {
                admin.call("PUT", "/apis/a", api("a", regex));
                for (String path : List.of("/a", "/a/" + "a".repeat(500))) {
                    assertThat(status(gateway.address(), path)).as(regex + path).isEqualTo(200);
                }
            }
            assertThat(gateway.lines()).noneMatch(line -> line.contains("StackOverflow"));
        }
    }

    @Test
    void one_found_at_the_start_is_left_out_and_the_rest_serves() throws Exception {
        Files.createDirectories(data.resolve("apis"));
        Files.writeString(data.resolve("apis/bad.json"), api("bad", BOMB));
        Files.writeString(data.resolve("apis/endless.json"), api("endless", "(?i)\u1c80"));
        Files.writeString(data.resolve("apis/good.json"), api("good", "/x"));

        try (var gateway = start(Map.of())) {
            assertServesOnlyGood(gateway);
        }
    }

    @Test
    void one_found_in_redis_is_left_out_and_the_rest_serves() throws Exception {
        try (var redis = RedisProcess.start()) {
            var settings = RedisSettings.of(redis.uri()).withDeadline(Duration.ofSeconds(2));
            try (var stores = RedisStores.open(settings, InstantSource.system())) {
                stores.definitions()
                        .commit(new Revision(
                                1,
                                Instant.EPOCH,
                                "earlier",
                                "",
                                List.of(
                                        added("bad", api("bad", BOMB)),
                                        added("endless", api("endless", "(?i)\u1c80")),
                                        added("good", api("good", "/x")))));
            }

            try (var gateway = start(Map.of("GATEWAY_STORE", redis.uri(), "GATEWAY_REDIS_DEADLINE", "2s"))) {
                assertServesOnlyGood(gateway);
            }
        }
    }

    private static void assertServesOnlyGood(GatewayProcess gateway) throws IOException, InterruptedException {
        gateway.awaitLine("left out: /apis/bad/policies/0/block/0/regex: expected at most 3000 instructions");
        gateway.awaitLine("left out: /apis/endless/policies/0/block/0/regex: expected no characters whose upper case");
        assertThat(status(gateway.address(), "/good")).isEqualTo(200);
        assertThat(status(gateway.address(), "/good/x")).isEqualTo(403);
        assertThat(status(gateway.address(), "/bad")).isEqualTo(503); // it keeps its match
    }

    private GatewayProcess start(Map<String, String> settings) throws IOException {
        return GatewayProcess.start(data, settings, "-Xmx256m");
    }

    private String api(String id, String regex) {
        boolean ignoreCase = regex.equals("\u1c80");
        return rules(
                id, "{\"regex\": " + Json.compact(Json.mapper().getNodeFactory().stringNode(regex)) + "}", ignoreCase);
    }

    private String rules(String id, String block) {
        return rules(id, block, false);
    }

    private String rules(String id, String block, boolean ignoreCase) {
        return upstream.definition(
                id,
                id,
                "[{\"type\": \"path-rules\", \"caseInsensitive\": " + ignoreCase + ", \"block\": [" + block + "]}]");
    }

    private static DefinitionChange added(String id, String text) {
        return new DefinitionChange(DocumentId.api(id), Optional.empty(), Optional.of(text));
    }

    private static int status(InetSocketAddress address, String path) throws IOException, InterruptedException {
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http:/" + address + path))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
