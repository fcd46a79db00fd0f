package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/// Who is told that he runs late, and what the IO thread does meanwhile.
final class DeadlinesTest {
    private static final int MANY = 200;
    private static final long COSTLY = TimeUnit.MICROSECONDS.toNanos(100);

    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private XnioWorker worker;
    private XnioIoThread io;
    private NextTurn nextTurn;
    private Deadlines deadlines;
    private boolean asked; // used on the IO thread

    @BeforeEach
    void begin() throws IOException {
        worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 1));
        io = worker.getIoThread(0);
        nextTurn = new NextTurn(io);
        deadlines = new Deadlines(io, nextTurn, 1);
    }

    @AfterEach
    void end() {
        worker.shutdownNow();
    }

    /// Runs late at the first look.
    private final class Late implements Deadlines.Timed {
        private final Runnable told;
        private int slot = -1;

        Late(Runnable told) {
            this.told = told;
        }

        @Override
        public void onTick(long now) {
            deadlines.forget(this);
            told.run();
        }

        @Override
        public int slot() {
            return slot;
        }

        @Override
        public void slot(int slot) {
            this.slot = slot;
        }
    }

    @Test
    void many_that_run_late_at_once_and_cost_much_leave_others_their_turn() throws Exception {
        io.execute(() -> {
            for (int i = 0; i < MANY; i++) deadlines.watch(new Late(this::workHard));
        });

        int before = 0;
        while (!next().equals("another")) before++;
        assertThat(before).isBetween(1, MANY / 2);
        for (int rest = before; rest < MANY; rest++) assertThat(next()).isEqualTo("late");
    }

    private void workHard() {
        if (!asked) nextTurn.run(() -> events.add("another"));
        asked = true;
        events.add("late");
        long until = System.nanoTime() + COSTLY;
        while (System.nanoTime() < until) Thread.onSpinWait();
    }

    @Test
    void one_that_breaks_costs_nobody_else_his_deadline_then_and_later() throws Exception {
        io.execute(() -> {
            deadlines.watch(new Late(() -> events.add("looked at last")));
            deadlines.watch(new Late(() -> {
                throw new IllegalStateException("broken");
            }));
        });
        assertThat(next()).isEqualTo("looked at last");

        io.execute(() -> deadlines.watch(new Late(() -> events.add("later"))));
        assertThat(next()).isEqualTo("later");
    }

    @Test
    void who_is_forgotten_while_others_are_told_is_told_no_more() throws Exception {
        var over = new CompletableFuture<Void>();
        io.execute(() -> {
            var forgotten = new Late(() -> events.add("forgotten"));
            deadlines.watch(forgotten);
            deadlines.watch(new Late(() -> {
                deadlines.forget(forgotten);
                io.executeAfter(() -> over.complete(null), 20, TimeUnit.MILLISECONDS);
            }));
        });

        over.get(10, TimeUnit.SECONDS);
        assertThat(events).isEmpty();
    }

    private String next() throws InterruptedException {
        return String.valueOf(events.poll(10, TimeUnit.SECONDS));
    }
}
