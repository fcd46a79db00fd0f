package gateway.policies.cache;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ShareWriterTest {
    private final ShareWriter writer = new ShareWriter();
    private final List<String> done = new CopyOnWriteArrayList<>();

    @Test
    void work_is_done_by_a_thread_of_its_own_also_after_a_fault() {
        writer.write(1, () -> {
            throw new IllegalStateException("on purpose");
        });
        writer.write(1, () -> done.add(Thread.currentThread().getName()));

        until(() -> writer.waiting() == 0);
        assertThat(done).containsExactly("cache-shares");
    }

    @Test
    void what_finds_eight_megabytes_waiting_is_left() {
        var begun = new CountDownLatch(1);
        writer.write(8 << 20, () -> {
            try {
                begun.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            done.add("first");
        });

        writer.write(1, () -> done.add("second"));
        begun.countDown();

        until(() -> writer.waiting() == 0);
        assertThat(done).containsExactly("first");
    }
}
