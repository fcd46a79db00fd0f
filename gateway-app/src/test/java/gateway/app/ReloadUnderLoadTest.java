package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Configuration that changes all the time under a hundred busy connections.
final class ReloadUnderLoadTest {
    private static final int CONNECTIONS = 100;
    private static final int TIMES = 200;
    private static final String COUNTED =
            "[{\"type\": \"key-auth\"}, {\"type\": \"quota\", \"requests\": 1000000, \"per\": \"30d\"}]";

    @TempDir
    private Path data;

    @Test
    void two_hundred_reloads_and_two_hundred_writes_fail_no_request_and_lose_no_count() throws Exception {
        try (var service = SampleService.start();
                Gateway gateway = start();
                var admin = AdminClient.of(
                        URI.create("http:/" + gateway.adminAddress()),
                        gateway.adminToken().reveal())) {
            admin.call("POST", "/apis", service.definition("orders", "orders", COUNTED));
            String secret = admin.issue("k1", "orders");

            try (var load = KeepAliveLoad.start(gateway.address(), "/orders", secret, CONNECTIONS)) {
                load.await(CONNECTIONS);
                for (int i = 0; i < TIMES; i++) {
                    String id = i % 2 == 0 ? "orders" : "other";
                    admin.call("PUT", "/apis/" + id, service.definition(id, "n" + i, COUNTED));
                    admin.call("POST", "/reload", "");
                }
                load.await(CONNECTIONS);

                assertThat(load.stop()).isEmpty();
                assertThat(admin.call("GET", "/keys/k1/usage", "")
                                .at("/limits/0/remaining")
                                .asLong())
                        .isEqualTo(1_000_000 - load.answered());
            }
        }
    }

    private Gateway start() {
        return Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "10s")));
    }
}
