package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.redis.RedisProcess;
import gateway.wire.tls.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What an operator reads first of the jar that is delivered.
@Timeout(120)
final class FirstLinesIT {
    private static final String SERVER_OF_BEANS = "com.sun.jmx.mbeanserver.JmxMBeanServer ";

    private final Path jar = Path.of(Objects.requireNonNull(System.getProperty("gateway.jar")));

    @TempDir
    private Path data;

    @Test
    void the_first_line_of_a_start_says_that_it_is_ready() throws Exception {
        assertThat(linesOfStart(Map.of()).getFirst()).contains(" INFO  Gateway - gateway ", " ready: data plane ");
    }

    @Test
    void what_redis_may_drop_is_warned_of_behind_the_line_that_it_answers() throws Exception {
        try (var redis = RedisProcess.start("--maxmemory", "100mb", "--maxmemory-policy", "volatile-ttl")) {
            List<String> lines = linesOfStart(Map.of("GATEWAY_STORE", redis.uri()));

            assertThat(lines.getFirst()).contains(" INFO  RedisStores - redis answers");
            assertThat(lines).anyMatch(line -> line.contains(" WARN  Eviction - redis may drop counters"));
        }
    }

    @Test
    void who_speaks_tls_is_told_once() throws Exception {
        Path certificate = new TestAuthority().issue("localhost", "localhost").write(data.resolve("a.pem"));

        List<String> lines = linesOfStart(
                Map.of("GATEWAY_TLS_LISTEN", "127.0.0.1:0", "GATEWAY_TLS_CERTIFICATES", certificate.toString()));

        assertThat(lines)
                .filteredOn(line -> line.contains("TLS by "))
                .singleElement()
                .asString()
                .contains(" INFO  ");
        assertThat(lines.getFirst()).contains("TLS by ");
    }

    @Test
    void a_start_makes_no_server_of_management_beans_and_whoever_asks_later_has_one() throws Exception {
        Path loaded = data.resolve("loaded");
        try (var gateway =
                GatewayProcess.launch(jar, data, Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + loaded))) {
            gateway.ready();
            assertThat(Files.readString(loaded))
                    .contains("org.xnio.nio.NioXnioWorker ")
                    .doesNotContain(SERVER_OF_BEANS);

            String jcmd =
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
            assertThat(new ProcessBuilder(jcmd, Long.toString(gateway.pid()), "ManagementAgent.start_local")
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(Files.readString(loaded)).contains(SERVER_OF_BEANS);
        }
    }

    private List<String> linesOfStart(Map<String, String> settings) throws Exception {
        try (var gateway = GatewayProcess.launch(jar, data, settings)) {
            gateway.ready();
            gateway.terminate();
            gateway.exitCode();
            gateway.awaitLine("<end>");
            return gateway.lines();
        }
    }
}
