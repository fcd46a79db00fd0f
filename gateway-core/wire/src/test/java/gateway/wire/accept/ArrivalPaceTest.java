package gateway.wire.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.NextTurn;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xnio.ChannelListeners;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/// Whose turn it is when many connect at once, on real sockets.
final class ArrivalPaceTest {
    private static final int NEWCOMERS = 100;
    private static final int BROKEN = 20; // the newcomer that cannot be taken

    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final List<Socket> clients = new ArrayList<>();
    private volatile boolean breaks;
    private int arrived; // used on the IO thread
    private XnioWorker worker;
    private InetSocketAddress address;

    @BeforeEach
    void listen() throws Exception {
        worker = Xnio.getInstance()
                .createWorker(
                        OptionMap.builder().set(Options.WORKER_IO_THREADS, 1).getMap());
        var pace = new ArrivalPace(NextTurn::new, (connection, _) -> {
            if (breaks && arrived++ == BROKEN) throw new IllegalStateException("broken");
            take(connection);
        });
        var server = worker.createStreamConnectionServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ChannelListeners.openListenerAdapter(
                        accepted -> pace.take(accepted, accepted.getPeerAddress(InetSocketAddress.class))),
                OptionMap.EMPTY);
        server.resumeAccepts();
        address = server.getLocalAddress(InetSocketAddress.class);
    }

    private void take(StreamConnection connection) {
        events.add("taken");
        connection.getSourceChannel().setReadListener(source -> {
            source.suspendReads();
            events.add("read");
        });
        connection.getSourceChannel().resumeReads();
    }

    @AfterEach
    void end() throws Exception {
        for (Socket each : clients) each.close();
        worker.shutdownNow();
    }

    @Test
    void who_is_connected_is_read_before_all_of_a_flood_are_taken() throws Exception {
        Socket known = connect();
        assertThat(next()).isEqualTo("taken");
        var busy = new CountDownLatch(1);
        worker.getIoThread(0).execute(() -> awaitQuietly(busy));
        for (int i = 0; i < NEWCOMERS; i++) connect();
        known.getOutputStream().write(1);
        awaitAccepted(NEWCOMERS + 1);
        busy.countDown();

        List<String> seen = new ArrayList<>();
        while (seen.size() < NEWCOMERS + 1) seen.add(next());
        assertThat(seen).contains("read");
        assertThat(seen.indexOf("read")).as("of %s", seen).isLessThan(NEWCOMERS / 2);
    }

    @Test
    void one_that_cannot_be_taken_is_closed_and_keeps_no_other_waiting() throws Exception {
        breaks = true;
        var busy = new CountDownLatch(1);
        worker.getIoThread(0).execute(() -> awaitQuietly(busy));
        for (int i = 0; i < NEWCOMERS; i++) connect();
        awaitAccepted(NEWCOMERS);
        busy.countDown();

        for (int i = 0; i < NEWCOMERS - 1; i++) assertThat(next()).isEqualTo("taken");
        assertThat(clients.get(BROKEN).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void those_who_come_one_by_one_are_all_taken() throws Exception {
        for (int i = 0; i < NEWCOMERS; i++) {
            connect();
            assertThat(next()).isEqualTo("taken");
        }
    }

    private Socket connect() throws Exception {
        var client = new Socket(address.getAddress(), address.getPort());
        clients.add(client);
        return client;
    }

    private String next() throws InterruptedException {
        String event = events.poll(10, TimeUnit.SECONDS);
        assertThat(event).as("an event within 10 s").isNotNull();
        return event;
    }

    /// XNIO's accepting thread has handed all of them to the IO thread.
    private void awaitAccepted(int connections) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        var servers = worker.getMXBean().getServerMXBeans();
        while (servers.iterator().next().getConnectionCount() < connections) {
            assertThat(System.nanoTime()).as("accepted in time").isLessThan(until);
            Thread.onSpinWait();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
