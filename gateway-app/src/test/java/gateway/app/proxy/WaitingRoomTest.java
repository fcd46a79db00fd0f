package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.net.IpRanges;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/// Admission when many threads come and go at once.
@Timeout(60)
final class WaitingRoomTest {
    private static final int PLACES = 3;
    private static final int THREADS = 32;
    private static final int VISITS = 2_000;

    private static final int AWAY = 4;
    private static final Watched STAYING = new Watched() {
        @Override
        public void watch() {}

        @Override
        public void look() {}
    };

    private final Clients clients = new Clients(0, IpRanges.NONE);
    private final WaitingLine line = clients.line(InetAddress.getLoopbackAddress());
    private XnioWorker worker;

    @BeforeEach
    void start() throws IOException {
        worker = Xnio.getInstance().createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 2));
    }

    @AfterEach
    void stop() {
        worker.shutdownNow();
    }

    @Test
    void nobody_waits_beside_a_free_place_and_never_are_more_in_flight_than_may() {
        var admission = new Admission(PLACES, AWAY, new WaitingLimits(THREADS, Duration.ofMinutes(5)), clients);
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var refused = new AtomicInteger();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < THREADS; thread++) {
                threads.execute(() -> {
                    for (int visit = 0; visit < VISITS; visit++) {
                        if (!admission.enter(worker.getIoThread(), line, STAYING)) {
                            refused.incrementAndGet();
                            continue;
                        }
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        LockSupport.parkNanos(1);
                        inside.decrementAndGet();
                        admission.leave(line);
                    }
                });
            }
        }

        assertThat(most.get()).isBetween(1, PLACES);
        assertThat(refused.get()).isZero();
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void who_waits_alone_takes_the_room_of_who_has_the_most_waiting() {
        var admission = new Admission(1, AWAY, new WaitingLimits(4, Duration.ofMinutes(5)), clients);
        var admitted = new LinkedBlockingQueue<String>();
        WaitingLine few = clients.line(InetAddress.ofLiteral("192.0.2.1"));
        admission.enter(worker.getIoThread(), line, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) threads.execute(() -> visit(admission, line, "many", admitted));
            until(() -> admission.waiting() == 4);
            assertThat(admission.enter(worker.getIoThread(), line, STAYING))
                    .as("there is no room for more of the same")
                    .isFalse();
            threads.execute(() -> visit(admission, few, "few", admitted));
            until(() -> admission.refused() == 2);
            admission.leave(line);
        }

        assertThat(admitted).containsExactly("many", "few", "many", "many");
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void among_equals_who_comes_last_finds_no_room() {
        var admission = new Admission(1, AWAY, new WaitingLimits(2, Duration.ofMinutes(5)), clients);
        var admitted = new LinkedBlockingQueue<String>();
        admission.enter(worker.getIoThread(), line, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 1; i <= 3; i++) {
                boolean last = i == 3;
                WaitingLine own = clients.line(InetAddress.ofLiteral("192.0.2." + i));
                String name = "client " + i;
                threads.execute(() -> visit(admission, own, name, admitted));
                until(() -> last ? admission.refused() == 1 : own.client().waiting() == 1);
            }
            admission.leave(line);
        }

        assertThat(admitted).containsExactly("client 1", "client 2");
    }

    private void visit(Admission admission, WaitingLine from, String name, Queue<String> admitted) {
        if (!admission.enter(worker.getIoThread(), from, STAYING)) return;
        admitted.add(name);
        admission.leave(from);
    }

    @Test
    void places_and_counts_are_whole_after_many_were_refused_and_ran_out_of_time() {
        var admission = new Admission(1, AWAY, new WaitingLimits(2, Duration.ofMillis(1)), clients);
        var admitted = new AtomicInteger();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < 8; thread++) {
                threads.execute(() -> {
                    for (int visit = 0; visit < 200; visit++) {
                        if (!admission.enter(worker.getIoThread(), line, STAYING)) continue;
                        admitted.incrementAndGet();
                        LockSupport.parkNanos(1);
                        admission.leave(line);
                    }
                });
            }
        }

        assertThat(admitted.get() + admission.refused()).isEqualTo(8 * 200);
        assertThat(admission.isIdle()).isTrue();
    }
}
