package gateway.app.cache;

import static gateway.app.cache.CountingUpstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Changes are seen by the `cache` that they go through, and by no other.
@Timeout(120)
final class CachedOperationsTest {
    private static final String CACHE = "\"policies\": [{\"type\": \"cache\"}]";
    private static final String READS = "{\"id\": \"reads\", \"match\": {\"methods\": [\"GET\"]}, " + CACHE + "}";

    private final CountingUpstream upstream =
            CountingUpstream.start(number -> answer("Cache-Control: max-age=60", "answer " + number));

    @TempDir
    private Path data;

    @AfterEach
    void stop() {
        upstream.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"operations\": [" + READS + "]",
                "\"operations\": [" + READS + ", {\"id\": \"changes\", \"match\": {\"methods\": [\"PUT\"]}, " + CACHE
                        + "}]",
                "\"policies\": [{\"type\": \"cache\", \"when\": {\"methods\": [\"GET\"]}}]",
            })
    void a_change_that_goes_by_another_way_leaves_what_is_kept(String policies) throws IOException {
        assertThat(afterAChange(policies)).contains("gateway; hit").endsWith("answer 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CACHE,
                CACHE + ", \"operations\": [{\"id\": \"changes\", \"match\": {\"methods\": [\"PUT\"]}, "
                        + "\"policies\": [{\"type\": \"headers\", \"response\": {\"set\": {\"X-A\": \"b\"}}}]}]",
                "\"operations\": [{\"id\": \"all\", \"match\": {\"path\": \"/a\"}, " + CACHE + "}]",
            })
    void a_change_that_goes_through_the_policy_ends_what_is_kept(String policies) throws IOException {
        assertThat(afterAChange(policies)).contains("fwd=miss").endsWith("answer 3");
    }

    private String afterAChange(String policies) throws IOException {
        CachedGateway.define(data, "orders", """
                {"id": "orders", "match": {"path": "/"}, %s,
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(policies, upstream.port()));
        try (CachedGateway gateway = CachedGateway.start(data)) {
            assertThat(gateway.get("/a")).endsWith("answer 1");
            assertThat(gateway.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
                    .endsWith("answer 2");
            return gateway.get("/a");
        }
    }
}
