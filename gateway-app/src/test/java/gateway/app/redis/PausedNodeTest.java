package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AdminClient;
import gateway.app.GatewayProcess;
import gateway.app.KeepAliveLoad;
import gateway.app.ProcessSignal;
import gateway.app.SampleService;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A whole gateway that is stopped and let go on, again and again, while Redis runs and clients ask: as in a machine
/// that is moved, or on cores that others use.
@Timeout(180)
final class PausedNodeTest {
    private static final int CLIENTS = 12;
    private static final int PAUSES = 20;
    private static final Duration DEADLINE = Duration.ofMillis(50);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration BETWEEN = Duration.ofMillis(150);
    private static final String COUNTED = """
        [{"type": "rate-limit", "requests": 1000000, "per": "1s", "counting": "exact", "onOutage": "deny"}]""";

    @TempDir
    private Path folder;

    @Test
    void a_node_that_stood_still_takes_redis_for_alive_and_refuses_nobody() throws Exception {
        try (var redis = RedisProcess.start();
                var service = SampleService.start();
                var gateway = GatewayProcess.start(
                        folder,
                        Map.of("GATEWAY_STORE", redis.uri(), "GATEWAY_REDIS_DEADLINE", DEADLINE.toMillis() + "ms"));
                var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            admin.call("POST", "/apis", service.definition("orders", "orders", COUNTED));
            until(() -> warmed(gateway));
            String before = failures(admin);

            try (var load = KeepAliveLoad.start(gateway.address(), "/orders", "none", CLIENTS)) {
                load.await(10 * CLIENTS);
                for (int i = 0; i < PAUSES; i++) {
                    ProcessSignal.send("STOP", gateway.pid());
                    pass(PAUSE);
                    ProcessSignal.send("CONT", gateway.pid());
                    pass(BETWEEN);
                }
                load.await(10 * CLIENTS);
                assertThat(load.stop()).isEmpty();
            }
            assertThat(failures(admin)).isEqualTo(before);
        }
    }

    /// Whether a cold gateway has warmed up enough for its deadlines.
    private static boolean warmed(GatewayProcess gateway) {
        try (var load = KeepAliveLoad.start(gateway.address(), "/orders", "none", CLIENTS)) {
            load.await(100 * CLIENTS);
            return load.stop().isEmpty();
        }
    }

    /// What the gateway counts of calls to Redis that failed, but for those that it was itself too slow for.
    private static String failures(AdminClient admin) throws IOException, InterruptedException {
        HttpResponse<String> metrics = admin.send("GET", "/metrics", "");
        return metrics.body()
                .lines()
                .filter(line -> line.startsWith("gateway_store_failures_total"))
                .filter(line -> !line.contains("starved"))
                .toList()
                .toString();
    }

    private static void pass(Duration time) {
        long begun = System.nanoTime();
        until(() -> System.nanoTime() - begun >= time.toNanos());
    }
}
