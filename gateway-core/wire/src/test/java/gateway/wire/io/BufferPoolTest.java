package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.memory.Budget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

final class BufferPoolTest {
    private static final int SIZE = 1024;
    private static final int SPARES = 4;

    private final Budget budget = new Budget(10 * SIZE);
    private final BufferPool pool = new BufferPool(SIZE, 2, SPARES, budget);
    private final XnioWorker worker;

    BufferPoolTest() throws Exception {
        worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 2));
    }

    @AfterEach
    void stop() {
        worker.shutdownNow();
    }

    @Test
    void past_its_budget_buffers_are_of_the_heap_and_do_not_come_again() {
        List<ByteBuffer> taken = taken(12);

        assertThat(taken.stream().filter(ByteBuffer::isDirect)).hasSize(10);
        assertThat(budget.taken()).isEqualTo(10 * SIZE);
        assertThat(budget.refused()).isEqualTo(2);
        taken.forEach(pool::giveBack);
        assertThat(budget.taken()).isZero();
        assertThat(taken(10)).allMatch(ByteBuffer::isDirect);
    }

    @Test
    void those_that_were_made_are_all_there_will_ever_be() throws Exception {
        Set<ByteBuffer> made = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int round = 0; round < 5; round++) {
            for (int io = 0; io < 2; io++) {
                on(io, () -> {
                    List<ByteBuffer> taken = taken(10);
                    taken.stream().filter(ByteBuffer::isDirect).forEach(made::add);
                    taken.forEach(pool::giveBack);
                    return null;
                });
            }
        }

        assertThat(made).hasSizeLessThanOrEqualTo(10);
        assertThat(budget.taken()).as("each thread keeps some").isEqualTo(2 * SPARES * SIZE);
    }

    @Test
    void what_one_thread_does_not_keep_another_gets() throws Exception {
        on(0, () -> {
            taken(10).forEach(pool::giveBack);
            return null;
        });

        List<ByteBuffer> other = on(1, () -> taken(10));

        assertThat(other.stream().filter(ByteBuffer::isDirect)).hasSize(10 - SPARES);
    }

    private List<ByteBuffer> taken(int count) {
        var taken = new ArrayList<ByteBuffer>();
        for (int i = 0; i < count; i++) taken.add(pool.take());
        return taken;
    }

    private <T> T on(int io, Callable<T> work) throws Exception {
        XnioIoThread thread = worker.getIoThread(io);
        var task = new FutureTask<>(work);
        thread.execute(task);
        return task.get();
    }
}
