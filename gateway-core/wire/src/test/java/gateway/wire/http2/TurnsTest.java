package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.NextTurn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

final class TurnsTest {
    @Test
    void work_of_a_thread_that_has_ended_is_done_all_the_same() throws IOException, InterruptedException {
        XnioWorker worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 1));
        XnioIoThread io = worker.getIoThread(0);
        List<Integer> done = new ArrayList<>();
        var turns = new Turns(io, new NextTurn(io)::run, () -> {}, () -> done.add(-1));
        worker.shutdownNow();
        assertThat(worker.awaitTermination(10, TimeUnit.SECONDS)).isTrue();

        for (int i = 0; i < 100; i++) { // more than go without waiting for others
            int each = i;
            turns.soon(() -> done.add(each));
        }
        turns.post(() -> done.add(100));
        turns.flushSoon();

        assertThat(done).hasSize(102).startsWith(0, 1).endsWith(99, 100, -1);
    }
}
