package gateway.app.component;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A member that is offered more than it may keep.
final class ComponentRoomTest {
    private static final Pattern BYTES = Pattern.compile("gateway_component_bytes ([0-9.E]+)");
    private static final String HOUR = "max-age=3600";

    @TempDir
    private Path data;

    @Test
    void large_entries_in_place_of_small_ones_do_not_outgrow_the_bound() {
        long most = Runtime.getRuntime().maxMemory() / 100 * 2;
        try (var component = OwnComponent.start(data, InstantSource.system(), Map.of("GATEWAY_CACHE_SHARE", "2"));
                var client = HttpClient.newHttpClient()) {
            for (long bytes = 0, i = 0; bytes < 2 * most; bytes += 4096) put(component, "small-" + i++, 4096);
            for (long bytes = 0, i = 0; bytes < 6 * most; bytes += 1 << 20) put(component, "large-" + i++, 1 << 20);

            until(() -> bytes(client, component) <= most + most / 8, () -> bytes(client, component));
            until(() -> put(component, "after", 4096) == 204);
            assertThat(component.get("/cache/after/k").statusCode()).isEqualTo(200);
        }
    }

    /// With the heap and the collector that `docker/entrypoint.sh` gives a member of W1, whose memory is 2,000 MB.
    @Test
    @Tag("proofs")
    @Timeout(300)
    void a_gibibyte_offered_to_a_member_of_w1_stays_within_its_share_and_the_tiers_memory() throws Exception {
        List<String> options = List.of(
                "-Xms72m",
                "-Xmx1144m",
                "-XX:+UseZGC",
                "-XX:ActiveProcessorCount=1",
                "-XX:MaxDirectMemorySize=238m",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError");
        long share = (1144L << 20) / 100 * 40;
        long most = share - share / 8; // of which states have an eighth
        try (var member = MemberProcess.start(data, MemberProcess.MemberPlace.of(0), "", options)) {
            member.awaitMembers(1);

            long half = offered(member, 0, 1L << 29, most);
            long whole = offered(member, 1, 1L << 29, most);

            assertThat(half).isLessThan(2_000_000_000L);
            assertThat(whole).isLessThan(2_000_000_000L);
            until(() -> member.meter("gateway_component_bytes") <= most + most / 8);
            assertThat(member.meter("gateway_component_bytes")).isGreaterThan(most / 2);
            until(() -> member.put("/cache/after/k", new byte[4096], "Cache-Control", HOUR) == 204);
        }
    }

    /// Of entries of 1 to 64 KiB, each in a group of its own, by a few callers at once.
    ///
    /// @return most bytes of memory that the process had meanwhile
    private static long offered(MemberProcess member, int round, long bytes, long most) throws Exception {
        var left = new AtomicLong(bytes);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < 4; caller++) {
                String name = "/cache/g-" + round + '-' + caller + '-';
                var random = new Random(round * 4L + caller);
                callers.execute(() -> {
                    for (int i = 0; left.get() > 0; i++) {
                        int size = 1024 << random.nextInt(7);
                        int status = member.put(name + i + "/k", new byte[size], "Cache-Control", HOUR);
                        if (status != 204 && status != 429) throw new IllegalStateException("status " + status);
                        left.addAndGet(-size);
                    }
                });
            }
            long highest = 0;
            while (left.get() > 0) {
                highest = Math.max(highest, member.resident());
                assertThat(member.meter("gateway_component_bytes")).isLessThan(most + most / 4);
                LockSupport.parkNanos(50_000_000);
            }
            return highest;
        }
    }

    /// In a group of its own.
    private static int put(OwnComponent component, String group, int bytes) {
        int status = component
                .send("PUT", "/cache/" + group + "/k", new byte[bytes], "Cache-Control", HOUR)
                .statusCode();
        assertThat(status).isIn(204, 429);
        return status;
    }

    private static long bytes(HttpClient client, OwnComponent component) {
        var metrics = new String(
                OwnComponent.send(client, component.adminAddress(), "GET", "/metrics", new byte[0])
                        .body(),
                StandardCharsets.UTF_8);
        Matcher found = BYTES.matcher(metrics);
        assertThat(found.find()).isTrue();
        return (long) Double.parseDouble(found.group(1));
    }
}
