package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whoever fills the table of counters gets others out of it: operators see it.
@Timeout(60)
final class DisplacedCountersTest {
    private static final int CALLERS = 1_200;
    private static final String API = """
            {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "policies": [{"type": "rate-limit", "requests": 1, "per": "1h", "by": "header:X-Caller"},
                          {"type": "mock-response", "status": 204}]}""";

    @TempDir
    private Path data;

    @Test
    void counters_that_make_room_while_they_hold_requests_back_are_counted() throws Exception {
        try (DefinedGateway gateway = DefinedGateway.start(data, Map.of("GATEWAY_COUNTERS", "1000"), API)) {
            for (int i = 0; i < CALLERS; i++) {
                var request = HttpRequest.newBuilder(gateway.uri("/")).header("X-Caller", "caller-" + i);
                assertThat(gateway.admin()
                                .client()
                                .send(request.build(), BodyHandlers.discarding())
                                .statusCode())
                        .isEqualTo(204);
            }

            assertThat(gateway.admin().get("/metrics").body())
                    .containsPattern("gateway_counters_displaced_total(\\{})? [1-9]\\d");
        }
    }
}
