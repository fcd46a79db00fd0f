package gateway.app.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.GatewayProcess;
import gateway.app.ResidentMemory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A `cache` policy that is offered far more than it may keep.
@Tag("proofs")
@Timeout(300)
final class CacheRoomTest {
    private static final Pattern BYTES = Pattern.compile("gateway_cache_bytes\\{api=\"orders\"} ([0-9.E]+)");
    private static final long HEAP = 1144L << 20;
    private static final long SHARE = HEAP / 16;
    private static final long MEMORY = 2_000_000_000; // of W1
    private static final int CALLERS = 4;

    @TempDir
    private Path data;

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer upstream;

    /// Answers with as many bytes as the last part of the path says.
    @BeforeEach
    void start_upstream() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                int size = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
                exchange.getResponseHeaders().set("Cache-Control", "max-age=3600");
                exchange.sendResponseHeaders(200, size);
                exchange.getResponseBody().write(new byte[size]);
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
    }

    @AfterEach
    void stop_upstream() {
        client.shutdownNow();
        upstream.stop(0);
    }

    /// With the heap and the collector that `docker/entrypoint.sh` gives W1.
    @Test
    void a_gibibyte_of_answers_offered_at_w1_stays_within_the_caches_share_and_takes_no_more_memory_in_the_end()
            throws Exception {
        CachedGateway.define(
                data,
                "orders",
                CachedGateway.definition(
                        "orders", "/", "", upstream.getAddress().getPort()));
        try (var gateway = GatewayProcess.start(
                data,
                Map.of("GATEWAY_TIER", "W1"),
                "-XX:-UseSerialGC",
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=50",
                "-XX:G1HeapRegionSize=1m",
                "-Xms72m",
                "-Xmx1144m",
                "-XX:ActiveProcessorCount=1",
                "-XX:MaxDirectMemorySize=238m",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError")) {
            long first = offered(gateway, "first", 1L << 29);
            long second = offered(gateway, "second", 1L << 29);

            assertThat(second).isLessThan(MEMORY).isLessThan(first + first / 8);
            assertThat(bytes(gateway)).isBetween(SHARE / 2, SHARE);
            assertThat(status(gateway, "/after/1024")).isEqualTo(200);
        }
    }

    /// Answers of 1 to 64 KiB, each asked for once.
    ///
    /// @return most bytes of memory that the process had meanwhile
    private long offered(GatewayProcess gateway, String round, long bytes) throws Exception {
        var left = new AtomicLong(bytes);
        var refused = new AtomicLong();
        long highest = 0;
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < CALLERS; caller++) {
                String path = '/' + round + '/' + caller + '/';
                var random = new Random(caller);
                callers.execute(() -> {
                    for (int i = 0; left.get() > 0; i++) {
                        int size = 1024 << random.nextInt(7);
                        if (status(gateway, path + i + '/' + size) != 200) refused.incrementAndGet();
                        left.addAndGet(-size);
                    }
                });
            }
            while (left.get() > 0) {
                highest = Math.max(highest, ResidentMemory.of(gateway.pid()));
                assertThat(bytes(gateway))
                        .isLessThanOrEqualTo(SHARE + SHARE / 8); // what is being put is taken out after
                LockSupport.parkNanos(50_000_000);
            }
        }
        assertThat(refused.get()).isZero();
        return highest;
    }

    private int status(GatewayProcess gateway, String path) {
        return answer(URI.create("http:/" + gateway.address() + path), BodyHandlers.discarding())
                .statusCode();
    }

    private long bytes(GatewayProcess gateway) {
        String metrics =
                answer(gateway.admin("/metrics"), BodyHandlers.ofString()).body();
        Matcher found = BYTES.matcher(metrics);
        return found.find() ? (long) Double.parseDouble(found.group(1)) : 0;
    }

    private <T> HttpResponse<T> answer(URI uri, HttpResponse.BodyHandler<T> body) {
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), body);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
