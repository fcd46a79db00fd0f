package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.Selector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/// What it costs an IO thread to close a connection, on real sockets.
final class SocketsTest {
    private final BlockingQueue<StreamConnection> accepted = new ArrayBlockingQueue<>(16);
    private XnioWorker worker;
    private InetSocketAddress address;

    @BeforeEach
    void listen() throws Exception {
        worker = Xnio.getInstance()
                .createWorker(
                        OptionMap.builder().set(Options.WORKER_IO_THREADS, 1).getMap());
        var server = worker.createStreamConnectionServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ChannelListeners.openListenerAdapter(accepted::add),
                OptionMap.EMPTY);
        server.resumeAccepts();
        address = server.getLocalAddress(InetSocketAddress.class);
    }

    @AfterEach
    void end() {
        worker.shutdownNow();
    }

    @Test
    void an_io_thread_that_closes_a_connection_does_not_ask_for_all_its_sockets_as_xnio_would() throws Exception {
        try (var one = connect();
                var other = connect()) {
            StreamConnection first = accepted.take();
            StreamConnection second = accepted.take();

            assertThat(keysLeftAfter(first, () -> IoUtils.safeClose(first)))
                    .as("XNIO's own way: it has asked, and the key has gone")
                    .isEqualTo(1);
            assertThat(keysLeftAfter(second, () -> Sockets.close(second)))
                    .as("the key goes with the next question")
                    .isEqualTo(1);
            assertThat(one.getInputStream().read()).isEqualTo(-1);
            assertThat(other.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void it_is_closed_and_told_before_the_call_returns() throws Exception {
        try (var client = connect()) {
            StreamConnection connection = accepted.take();
            var told = new CountDownLatch(1);
            connection.setCloseListener(_ -> told.countDown());
            var seen = new CompletableFuture<Boolean>();
            connection.getIoThread().execute(() -> {
                Sockets.close(connection);
                seen.complete(!connection.isOpen() && told.getCount() == 0);
            });
            assertThat(seen.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void an_io_thread_does_not_wait_for_what_a_listener_waits_for() throws Exception {
        try (var client = connect()) {
            StreamConnection connection = accepted.take();
            XnioIoThread io = connection.getIoThread();
            var permit = new Semaphore(0);
            var told = new CountDownLatch(1);
            connection.setCloseListener(_ -> {
                permit.acquireUninterruptibly();
                told.countDown();
            });
            io.execute(() -> Sockets.close(connection));
            var answered = new CountDownLatch(1);
            io.execute(answered::countDown);

            assertThat(answered.await(10, TimeUnit.SECONDS))
                    .as("the IO thread goes on while the listener waits")
                    .isTrue();
            permit.release();
            assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    private Socket connect() throws Exception {
        return new Socket(address.getAddress(), address.getPort());
    }

    /// Keys of the IO thread's selector right after `work`, which it does.
    private static int keysLeftAfter(StreamConnection connection, Runnable work) throws Exception {
        Selector selector = selector(connection.getIoThread());
        var left = new CompletableFuture<Integer>();
        connection.getIoThread().execute(() -> {
            work.run();
            left.complete(selector.keys().size());
        });
        return left.get(10, TimeUnit.SECONDS);
    }

    private static Selector selector(XnioIoThread io) throws ReflectiveOperationException {
        Field field = io.getClass().getDeclaredField("selector");
        field.setAccessible(true);
        return (Selector) field.get(io);
    }
}
