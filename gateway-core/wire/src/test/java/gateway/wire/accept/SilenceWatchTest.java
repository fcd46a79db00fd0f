package gateway.wire.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.Deadlines;
import gateway.wire.io.NextTurn;
import gateway.wire.io.SilentConnections;
import gateway.wire.io.Sockets;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Pressure;
import gateway.wire.memory.Purse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/// Who is closed, and in which turn of the IO thread, when a close takes longer than a turn may.
final class SilenceWatchTest {
    private static final int MANY = 40;
    private static final int BROKEN = -1;
    private static final long COSTLY = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Budget heads = new Budget(1 << 20);
    private final LinkedBlockingQueue<Closed> closed = new LinkedBlockingQueue<>();
    private int turn; // used on the IO thread
    private XnioWorker worker;
    private XnioIoThread io;
    private NextTurn nextTurn;
    private SilenceWatch watch;

    /// @param turn that it was closed in
    private record Closed(int client, int turn) {}

    @BeforeEach
    void begin() throws IOException {
        worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 1));
        io = worker.getIoThread(0);
        nextTurn = new NextTurn(io);
        watch = new SilenceWatch(
                new Deadlines(io, nextTurn, LONG.toMillis()),
                new SilentConnections(),
                () -> Pressure.NONE,
                heads,
                LONG,
                Duration.ZERO);
        io.execute(this::countTurns);
    }

    private void countTurns() {
        turn++;
        nextTurn.run(this::countTurns);
    }

    @AfterEach
    void end() {
        worker.shutdownNow();
    }

    @Test
    void all_that_have_been_idle_for_too_long_are_closed_in_one_tick_each_in_a_turn_of_its_own() throws Exception {
        io.execute(() -> connectAndTick(0));
        List<Closed> first = take(MANY);
        io.execute(() -> connectAndTick(MANY));
        List<Closed> second = take(MANY);

        for (List<Closed> all : List.of(first, second)) {
            assertThat(all).extracting(Closed::client).doesNotHaveDuplicates();
            assertThat(all).extracting(Closed::turn).doesNotHaveDuplicates();
        }
    }

    @Test
    void one_that_cannot_be_closed_costs_those_that_come_later_not_their_end() throws Exception {
        io.execute(() -> {
            new ClientSilence(pipe(), () -> false, watch, new Purse(heads), this::breakOff);
            connectAndTick(0);
        });
        assertThat(take(MANY + 1)).extracting(Closed::client).contains(BROKEN);

        io.execute(() -> connectAndTick(MANY));

        assertThat(take(MANY)).extracting(Closed::client).allMatch(each -> each >= MANY);
    }

    private void breakOff() {
        closed.add(new Closed(BROKEN, turn));
        throw new IllegalStateException("broken");
    }

    private void connectAndTick(int first) {
        IntStream.range(first, first + MANY).forEach(this::connect);
        watch.onTick(System.nanoTime());
    }

    private void connect(int number) {
        StreamConnection channel = pipe();
        channel.getCloseSetter().set(_ -> {
            long until = System.nanoTime() + COSTLY;
            while (System.nanoTime() < until) Thread.onSpinWait();
            closed.add(new Closed(number, turn));
        });
        new ClientSilence(channel, () -> false, watch, new Purse(heads), () -> Sockets.close(channel));
    }

    private StreamConnection pipe() {
        try {
            return io.createFullDuplexPipeConnection().getLeftSide();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Closed> take(int count) throws InterruptedException {
        List<Closed> taken = new ArrayList<>();
        while (taken.size() < count) {
            Closed next = closed.poll(10, TimeUnit.SECONDS);
            assertThat(next).as("after %s of %s", taken.size(), count).isNotNull();
            taken.add(next);
        }
        return taken;
    }
}
