package gateway.app.component;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
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
