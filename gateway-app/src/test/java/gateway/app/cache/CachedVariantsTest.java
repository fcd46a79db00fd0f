package gateway.app.cache;

import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One `cache` policy in front of several upstreams: nobody gets the answer of one that he did not ask.
@Timeout(120)
final class CachedVariantsTest {
    private static final String FRESH = "Cache-Control: max-age=60";

    private final CountingUpstream first = CountingUpstream.start(_ -> answer(FRESH, "of the first"));
    private final CountingUpstream second = CountingUpstream.start(_ -> answer(FRESH, "of the second"));

    @TempDir
    private Path data;

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"in\": \"path\", \"strip\": true       | /v1/x    | /v2/x    | X: 1       | X: 1",
                "\"in\": \"path\"                        | /v1/x    | /v2/x    | X: 1       | X: 1",
                "\"in\": \"header\", \"name\": \"X-Version\" | /x       | /x       | X-Version: v1 | X-Version: v2",
                "\"in\": \"query\", \"name\": \"v\", \"strip\": true | /x?v=v1  | /x?v=v2  | X: 1       | X: 1",
            })
    void versions_have_their_own_answers(String where, String one, String two, String ofOne, String ofTwo)
            throws IOException {
        CachedGateway.define(data, "orders", """
                {"id": "orders", "match": {"path": "/"}, "policies": [{"type": "cache"}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
                 "versions": {%s, "list": [{"name": "v1"},
                   {"name": "v2", "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}]}}""".formatted(first.port(), where, second.port()));
        try (CachedGateway gateway = CachedGateway.start(data)) {
            for (int i = 0; i < 2; i++) {
                assertThat(gateway.get(one, ofOne + "\r\n")).endsWith("of the first");
                assertThat(gateway.get(two, ofTwo + "\r\n")).endsWith("of the second");
            }
            assertThat(gateway.get(two, ofTwo + "\r\n")).contains("gateway; hit");
        }
    }

    @Test
    void branches_have_their_own_answers() throws IOException {
        split("{\"branches\": [{\"name\": \"canary\", \"when\": {\"headers\": {\"X-Canary\": \"1\"}}, %s}]}");
        try (CachedGateway gateway = CachedGateway.start(data)) {
            for (int i = 0; i < 2; i++) {
                assertThat(gateway.get("/x", "X-Canary: 1\r\n")).endsWith("of the second");
                assertThat(gateway.get("/x", "")).endsWith("of the first");
            }
            assertThat(gateway.get("/x", "")).contains("gateway; hit");
            assertThat(gateway.get("/x", "X-Canary: 1\r\n")).contains("gateway; hit");
        }
    }

    @Test
    void branches_that_are_drawn_keep_their_shares() throws IOException {
        split("{\"branches\": [{\"name\": \"canary\", \"percent\": 50, %s}]}");
        try (CachedGateway gateway = CachedGateway.start(data)) {
            int seconds = 0;
            for (int i = 0; i < 200; i++) if (gateway.get("/x", "").endsWith("of the second")) seconds++;

            assertThat(seconds).isBetween(60, 140);
            assertThat(first.asked()).isEqualTo(1);
            assertThat(second.asked()).isEqualTo(1);
        }
    }

    @Test
    void a_branch_that_a_cookie_names_has_its_own_answers() throws IOException {
        split("{\"branches\": [{\"name\": \"canary\", \"percent\": 50, %s}], \"stickBy\": \"cookie:side\"}");
        try (CachedGateway gateway = CachedGateway.start(data)) {
            for (int i = 0; i < 2; i++) {
                assertThat(gateway.get("/x", "Cookie: side=canary\r\n")).endsWith("of the second");
                assertThat(gateway.get("/x", "Cookie: side=main\r\n")).endsWith("of the first");
            }
            assertThat(gateway.get("/x", "Cookie: side=canary\r\n")).contains("gateway; hit");
            assertThat(gateway.get("/x", "")).contains("Set-Cookie: side=").doesNotContain("gateway; hit");
        }
    }

    private void split(String split) {
        String targets = "\"targets\": [{\"url\": \"http://127.0.0.1:" + second.port() + "\"}]";
        CachedGateway.define(data, "orders", """
                {"id": "orders", "match": {"path": "/"}, "policies": [{"type": "cache"}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}], "split": %s}}""".formatted(first.port(), split.formatted(targets)));
    }
}
