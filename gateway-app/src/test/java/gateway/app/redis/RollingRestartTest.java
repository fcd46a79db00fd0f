package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AdminClient;
import gateway.app.GatewayProcess;
import gateway.app.KeepAliveLoad;
import gateway.app.SampleService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two gateways on one Redis behind a balancer, restarted one after the other under a hundred busy connections.
final class RollingRestartTest {
    private static final int CONNECTIONS = 100;
    private static final long LIMIT = 10_000_000;
    private static final String COUNTED = """
        [{"type": "key-auth"},
         {"type": "quota", "requests": 10000000, "per": "30d", "counting": "leased"}]""";

    @TempDir
    private Path folder;

    private final Balancer.Node first = Balancer.Node.free();
    private final Balancer.Node second = Balancer.Node.free();

    @Test
    void a_rolling_restart_fails_no_request_and_loses_no_count() throws Exception {
        try (var redis = RedisProcess.start();
                var service = SampleService.start();
                var one = start(redis, first);
                var two = start(redis, second);
                var balancer = Balancer.start(folder, List.of(first, second))) {
            String secret = define(service, one);
            until(() -> answer(two.address()) == 401 && answer(balancer.address()) == 401);

            try (var load = KeepAliveLoad.start(balancer.address(), "/orders", secret, CONNECTIONS)) {
                load.await(10 * CONNECTIONS);
                try (var oneAgain = restarted(one, redis, first, balancer);
                        var twoAgain = restarted(two, redis, second, balancer)) {
                    load.await(10 * CONNECTIONS);
                    List<String> failures = load.stop();
                    end(twoAgain); // its leases come back

                    assertThat(failures).isEmpty();
                    assertThat(used(oneAgain)).isEqualTo(load.answered());
                }
            }
        }
    }

    private GatewayProcess restarted(GatewayProcess gateway, RedisProcess redis, Balancer.Node node, Balancer balancer)
            throws Exception {
        end(gateway);
        var again = start(redis, node);
        until(() -> balancer.sawUp(node));
        return again;
    }

    private static void end(GatewayProcess gateway) throws Exception {
        gateway.terminate();
        assertThat(gateway.exitCode()).isZero();
    }

    private GatewayProcess start(RedisProcess redis, Balancer.Node node) throws IOException {
        return GatewayProcess.start(
                folder.resolve("node" + node.port()),
                Map.of(
                        "GATEWAY_LISTEN",
                        "127.0.0.1:" + node.port(),
                        "GATEWAY_ADMIN_LISTEN",
                        "127.0.0.1:" + node.adminPort(),
                        "GATEWAY_STORE",
                        redis.uri(),
                        "GATEWAY_REDIS_DEADLINE",
                        "5s",
                        "GATEWAY_SHUTDOWN_DELAY",
                        "2s"));
    }

    private static String define(SampleService service, GatewayProcess gateway) throws Exception {
        try (var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            admin.call("POST", "/apis", service.definition("orders", "orders", COUNTED));
            return admin.issue("k1", "orders");
        }
    }

    private static long used(GatewayProcess gateway) throws Exception {
        try (var admin = AdminClient.of(gateway.admin("/"), gateway.token())) {
            return LIMIT
                    - admin.call("GET", "/keys/k1/usage", "")
                            .at("/limits/0/remaining")
                            .asLong();
        }
    }

    /// The status that a request without a key gets, which no limit counts; 0 when nobody answers.
    private static int answer(InetSocketAddress address) {
        try {
            var uri = URI.create("http://127.0.0.1:" + address.getPort() + "/orders");
            var connection = (HttpURLConnection) uri.toURL().openConnection();
            return connection.getResponseCode();
        } catch (ConnectException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
