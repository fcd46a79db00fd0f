package gateway.app.stop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class GracePeriodTest {
    private final CountDownLatch released = new CountDownLatch(1);

    @Test
    void the_end_of_a_thread_is_waited_for() throws Exception {
        var grace = new GracePeriod(Duration.ofHours(1));
        Thread thread = Thread.ofPlatform().start(this::hang);

        var waiting = new FutureTask<>(() -> grace.join(thread));
        Thread.ofPlatform().start(waiting);
        released.countDown();

        assertThat(waiting.get()).isTrue();
    }

    @Test
    void is_over_when_its_time_is_spent_and_not_before_it_begins() throws Exception {
        var grace = new GracePeriod(Duration.ZERO);
        assertThat(grace.isOver()).isFalse();
        Thread thread = Thread.ofPlatform().start(this::hang);

        assertThat(grace.join(thread)).isFalse();

        assertThat(grace.isOver()).isTrue();
        released.countDown();
    }

    @Test
    void what_is_shortened_before_it_begins_is_short() throws Exception {
        var grace = new GracePeriod(Duration.ofHours(1));
        grace.shorten(Duration.ofMillis(1));
        grace.shorten(Duration.ofHours(2));

        try (var threads = Executors.newSingleThreadExecutor()) {
            threads.execute(this::hang);
            threads.shutdown();

            assertThat(grace.join(threads)).isFalse();
            released.countDown();
        }
    }

    @Test
    void what_is_shortened_within_ends_the_wait() throws Exception {
        var grace = new GracePeriod(Duration.ofHours(1));
        Thread thread = Thread.ofPlatform().start(this::hang);
        var waiting = new FutureTask<>(() -> grace.join(thread));
        grace.begin();
        Thread.ofPlatform().start(waiting);

        grace.shorten(Duration.ofMillis(1));

        assertThat(waiting.get()).isFalse();
        released.countDown();
    }

    private void hang() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
