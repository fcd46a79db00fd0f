package gateway.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

final class WorkerTest {
    @Test
    void runs_its_work_on_the_scheduler_of_the_jdk_even_when_an_io_thread_carries_the_caller() throws Exception {
        try (var io = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("io-1").factory())) {
            var request = new FutureTask<>(
                    () -> Worker.call(() -> Thread.currentThread().toString()));

            carriedBy(io).start(request);

            assertThat(request.get()).startsWith("VirtualThread").doesNotContain("io-1");
        }
    }

    @Test
    void throws_what_its_work_throws() {
        assertThatThrownBy(() -> Worker.call(() -> {
                    throw new IllegalArgumentException("broken");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("broken");
    }

    private static Thread.Builder.OfVirtual carriedBy(Executor scheduler) throws ReflectiveOperationException {
        var builder =
                Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder").getDeclaredConstructor(Executor.class);
        builder.setAccessible(true);
        return (Thread.Builder.OfVirtual) builder.newInstance(scheduler);
    }
}
