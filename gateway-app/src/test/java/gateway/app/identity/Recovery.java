package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;

/// How soon callers are served again once a server is back that a gateway asks about them. The bound is the feature.
final class Recovery {
    private static final Duration BOUND = Duration.ofSeconds(1);

    private Recovery() {}

    /// Waits until `served`, whose server has just come back.
    static void withinASecond(Callable<Boolean> served) {
        long begun = System.nanoTime();
        until(served);

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(BOUND);
    }
}
