package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xnio.ChannelPipe;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;

/// When work goes on that leaves an IO thread to its sockets, of which a pipe stands for one.
final class NextTurnTest {
    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private XnioWorker worker;
    private XnioIoThread io;
    private NextTurn nextTurn;
    private ChannelPipe<StreamSourceChannel, StreamSinkChannel> somebody;

    @BeforeEach
    void begin() throws IOException {
        worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 1));
        io = worker.getIoThread(0);
        nextTurn = new NextTurn(io);
        somebody = io.createHalfDuplexPipe();
        somebody.getLeftSide().getReadSetter().set(source -> {
            source.suspendReads();
            events.add("heard");
        });
        somebody.getLeftSide().resumeReads();
    }

    @AfterEach
    void end() {
        IoUtils.safeClose(somebody.getLeftSide(), somebody.getRightSide());
        worker.shutdownNow();
    }

    @Test
    void whoever_has_sent_something_is_heard_first() throws Exception {
        io.execute(() -> {
            nextTurn.run(() -> events.add("next turn"));
            send();
            io.execute(() -> events.add("a task"));
        });

        assertThat(seen(3)).containsExactly("a task", "heard", "next turn");
    }

    @Test
    void work_that_goes_on_for_ever_leaves_others_their_turn() throws Exception {
        var ended = new CompletableFuture<Void>();
        io.execute(() -> {
            goOnUntil(ended);
            send();
        });

        assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("heard");
        ended.complete(null);
    }

    @Test
    void what_one_throws_costs_nobody_else_a_turn() throws Exception {
        io.execute(() -> {
            nextTurn.run(() -> {
                throw new IllegalStateException("broken");
            });
            nextTurn.run(() -> events.add("the one after it"));
        });

        assertThat(seen(1)).containsExactly("the one after it");
    }

    @Test
    void work_goes_on_after_the_pipe_has_been_closed() throws Exception {
        io.execute(() -> {
            nextTurn.run(() -> events.add("by the first pipe"));
            io.execute(() -> nextTurn.run(() -> events.add("with it")));
        });
        assertThat(seen(2)).containsExactly("by the first pipe", "with it");

        io.execute(() -> {
            nextTurn.close();
            nextTurn.run(() -> events.add("by another"));
        });
        assertThat(seen(1)).containsExactly("by another");
    }

    private void goOnUntil(CompletableFuture<Void> ended) {
        if (!ended.isDone()) nextTurn.run(() -> goOnUntil(ended));
    }

    private void send() {
        try {
            somebody.getRightSide().write(ByteBuffer.wrap(new byte[1]));
        } catch (IOException e) {
            events.add(e.toString());
        }
    }

    private String[] seen(int count) throws InterruptedException {
        var seen = new String[count];
        for (int i = 0; i < count; i++) seen[i] = events.poll(10, TimeUnit.SECONDS);
        return seen;
    }
}
