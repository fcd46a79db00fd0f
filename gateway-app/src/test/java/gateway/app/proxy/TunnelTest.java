package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How the two ends of an open WebSocket hear of each other.
final class TunnelTest {
    private static final int MIB = 1024 * 1024;

    private Proxy proxy;
    private RawConnection client;
    private RawConnection upstream;

    private void open(Duration idle) throws IOException {
        proxy = Proxy.in(RequestThreadMode.IO)
                .ioThreads(1)
                .timeouts(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(300))
                .settings(plane -> plane.withWebSockets(new WebSocketLimits(200, idle)))
                .start();
        openAnother();
    }

    private void openAnother() throws IOException {
        client = proxy.client().send(HostileHandshakeTest.handshake());
        upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send(HostileHandshakeTest.agreed());
        client.readHead();
    }

    @Test
    void a_socket_on_which_nothing_moves_holds_no_buffer() throws IOException {
        open(Duration.ofMinutes(1));
        long before = directMemory();
        for (int i = 0; i < 100; i++) {
            openAnother();
            client.send("ping");
            upstream.read(4);
            upstream.send("pong");
            client.read(4);
        }

        assertThat(proxy.dataPlane().webSockets()).isEqualTo(101);
        assertThat(directMemory() - before).isLessThan(50 * 16 * 1024L);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_slow_reader_stops_the_writer_and_misses_nothing(boolean clientWrites) throws Exception {
        open(Duration.ofMinutes(1));
        RawConnection writer = clientWrites ? client : upstream;
        RawConnection reader = clientWrites ? upstream : client;
        long size = 96L * MIB;
        long before = directMemory();
        var written = new AtomicLong();
        var sent = CompletableFuture.runAsync(() -> write(writer.out(), size, written));
        awaitStandstill(written);

        assertThat(written.get())
                .as("what two pairs of socket buffers hold at most")
                .isLessThan(size / 2);
        assertThat(directMemory() - before).as("bytes held meanwhile").isLessThan(4L * MIB);
        byte[] piece = new byte[MIB];
        for (long read = 0; read < size; read += MIB) {
            assertThat(reader.in().readNBytes(piece, 0, MIB)).isEqualTo(MIB);
            assertThat(piece[0]).isEqualTo((byte) (read / MIB));
            assertThat(piece[MIB - 1]).isEqualTo((byte) (read / MIB));
        }
        sent.get(20, TimeUnit.SECONDS);
        assertThat(written).hasValue(size);
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static void write(OutputStream out, long size, AtomicLong written) {
        byte[] piece = new byte[MIB];
        try {
            for (long at = 0; at < size; at += MIB) {
                Arrays.fill(piece, (byte) (at / MIB));
                for (int from = 0; from < MIB; from += 64 * 1024) {
                    out.write(piece, from, 64 * 1024);
                    written.addAndGet(64 * 1024);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitStandstill(AtomicLong written) {
        long before = -1;
        while (written.get() == 0 || written.get() != before) {
            before = written.get();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    @Test
    void what_one_end_said_last_arrives_though_the_other_goes_on_talking() throws IOException {
        open(Duration.ofMinutes(1));
        client.send("x".repeat(MIB / 4));
        upstream.send("last words");
        upstream.close(); // with bytes unread: a reset follows

        assertThat(client.read(10)).isEqualTo("last words");
        assertThat(client.isClosedByPeer()).isTrue();
        WebSocketTest.awaitNone(proxy);
    }

    @Test
    void an_end_that_has_said_all_may_still_listen_for_a_while() throws IOException {
        open(Duration.ofMinutes(1));
        client.finishSending();

        assertThat(upstream.readToEnd()).isEmpty();
        upstream.send("goodbye");
        assertThat(client.read(7)).isEqualTo("goodbye");
        upstream.close();
        assertThat(client.isClosedByPeer()).isTrue();
        WebSocketTest.awaitNone(proxy);
    }

    @Test
    void an_end_that_will_not_close_is_left_after_some_seconds() throws IOException {
        open(Duration.ofMinutes(1));
        upstream.finishSending();

        assertThat(client.in().read()).isEqualTo(-1);
        WebSocketTest.awaitNone(proxy); // though neither has closed
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_reset_of_one_end_ends_the_other(boolean ofClient) throws IOException {
        open(Duration.ofMinutes(1));
        RawConnection dying = ofClient ? client : upstream;
        RawConnection other = ofClient ? upstream : client;

        dying.reset();

        assertThat(other.isClosedByPeer()).isTrue();
        WebSocketTest.awaitNone(proxy);
    }

    @Test
    void a_socket_outlives_the_timeout_of_requests_and_ends_when_nothing_moves() throws IOException {
        open(Duration.ofMillis(1500));
        for (int round = 0; round < 4; round++) {
            client.send("\u0081\u0002on");
            assertThat(upstream.read(4)).endsWith("on");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }

        assertThat(client.isClosedByPeer()).isTrue();
        assertThat(upstream.isClosedByPeer()).isTrue();
        WebSocketTest.awaitNone(proxy);
    }

    @Test
    void a_gateway_that_stops_waits_for_sockets_until_its_deadline_and_closes_them() throws IOException {
        open(Duration.ofMinutes(1));
        long began = System.nanoTime();

        assertThat(proxy.dataPlane().stop(Duration.ofMillis(700)))
                .as("no request was cut")
                .isTrue();

        assertThat(System.nanoTime() - began)
                .isGreaterThan(Duration.ofMillis(650).toNanos());
        assertThat(client.isClosedByPeer()).isTrue();
        assertThat(upstream.isClosedByPeer()).isTrue();
        assertThat(proxy.dataPlane().webSockets()).isZero();
    }
}
