package gateway.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class ScrapeTest {
    @Test
    void what_a_virtual_thread_asks_for_is_written_by_a_platform_thread() throws Exception {
        try (var metrics = Metrics.start(MetricsSettings.DEFAULT, Set::of, "test")) {
            var writer = new AtomicReference<Thread>();
            metrics.readings().gauge("gateway_looked_at", "who looks", () -> {
                writer.set(Thread.currentThread());
                return 1;
            });
            var text = new FutureTask<>(metrics::scrape);
            Thread.startVirtualThread(text);

            assertThat(text.get(1, TimeUnit.MINUTES)).contains("gateway_looked_at 1");
            assertThat(writer.get().isVirtual()).isFalse();
        }
    }
}
