package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.proxy.Admission.Entry;
import gateway.net.IpRanges;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
    private static final WaitingRequest.Waiter STAYING = _ -> {};

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
                        if (enter(admission, line, false, STAYING) == Entry.NONE) {
                            refused.incrementAndGet();
                            continue;
                        }
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        LockSupport.parkNanos(1);
                        inside.decrementAndGet();
                        admission.leave(line, Entry.AS_NEWCOMER);
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
        enter(admission, line, false, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) threads.execute(() -> visit(admission, line, "many", admitted));
            until(() -> admission.waiting() == 4);
            assertThat(enter(admission, line, false, STAYING))
                    .as("there is no room for more of the same")
                    .isEqualTo(Entry.NONE);
            threads.execute(() -> visit(admission, few, "few", admitted));
            until(() -> admission.refused() == 2);
            admission.leave(line, Entry.AS_NEWCOMER);
        }

        assertThat(admitted).containsExactly("many", "few", "many", "many");
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void among_equals_who_comes_last_finds_no_room() {
        var admission = new Admission(1, AWAY, new WaitingLimits(2, Duration.ofMinutes(5)), clients);
        var admitted = new LinkedBlockingQueue<String>();
        enter(admission, line, false, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 1; i <= 3; i++) {
                boolean last = i == 3;
                int came = i;
                WaitingLine own = clients.line(InetAddress.ofLiteral("192.0.2." + i));
                String name = "client " + i;
                threads.execute(() -> visit(admission, own, name, admitted));
                until(() -> last ? admission.refused() == 1 : admission.waiting() == came);
            }
            admission.leave(line, Entry.AS_NEWCOMER);
        }

        assertThat(admitted).containsExactly("client 1", "client 2");
    }

    @Test
    void connections_that_were_served_go_first_but_for_every_fourth_place() {
        var admission = new Admission(1, AWAY, new WaitingLimits(8, Duration.ofMinutes(5)), clients);
        var admitted = new LinkedBlockingQueue<String>();
        WaitingLine served = clients.line(InetAddress.ofLiteral("192.0.2.1"));
        enter(admission, line, false, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2; i++) threads.execute(() -> visit(admission, line, "new", admitted));
            until(() -> admission.waiting() == 2);
            for (int i = 0; i < 6; i++) threads.execute(() -> visit(admission, served, true, "served", admitted));
            until(() -> admission.waiting() == 8);
            admission.leave(line, Entry.AS_NEWCOMER);
        }

        assertThat(admitted).containsExactly("served", "served", "served", "new", "served", "served", "served", "new");
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void connections_that_were_served_take_the_room_of_others_but_for_a_quarter_of_it() {
        var admission = new Admission(1, AWAY, new WaitingLimits(4, Duration.ofMinutes(5)), clients);
        var admitted = new LinkedBlockingQueue<String>();
        WaitingLine served = clients.line(InetAddress.ofLiteral("192.0.2.1"));
        enter(admission, line, false, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 1; i <= 4; i++) {
                WaitingLine own = clients.line(InetAddress.ofLiteral("198.51.100." + i));
                threads.execute(() -> visit(admission, own, "new", admitted));
                int made = i;
                until(() -> admission.waiting() == made);
            }
            for (int i = 1; i <= 3; i++) {
                threads.execute(() -> visit(admission, served, true, "served", admitted));
                int made = i;
                until(() -> admission.refused() == made);
            }
            assertThat(enter(admission, served, true, STAYING))
                    .as("there is no room for more of the same")
                    .isEqualTo(Entry.NONE);
            admission.leave(line, Entry.AS_NEWCOMER);
        }

        assertThat(admitted).containsExactly("served", "served", "served", "new");
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void a_client_of_whom_nobody_waits_finds_room_though_those_that_were_served_have_it_all() {
        var admission = new Admission(1, AWAY, new WaitingLimits(4, Duration.ofMinutes(5)), clients);
        var admitted = new LinkedBlockingQueue<String>();
        WaitingLine served = clients.line(InetAddress.ofLiteral("192.0.2.1"));
        enter(admission, line, false, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) threads.execute(() -> visit(admission, served, true, "served", admitted));
            until(() -> admission.waiting() == 4);
            threads.execute(() -> visit(admission, line, "new", admitted));
            until(() -> admission.refused() == 1);
            admission.leave(line, Entry.AS_NEWCOMER);
        }

        assertThat(admitted).containsExactlyInAnyOrder("served", "served", "served", "new");
    }

    @Test
    void what_waits_of_a_connection_goes_first_once_another_of_it_finds_it_served() {
        var admission = new Admission(1, AWAY, new WaitingLimits(8, Duration.ofMinutes(5)), clients);
        var admitted = new LinkedBlockingQueue<String>();
        WaitingLine served = clients.line(InetAddress.ofLiteral("192.0.2.1"));
        enter(admission, line, false, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.execute(() -> visit(admission, line, "new", admitted));
            until(() -> admission.waiting() == 1);
            threads.execute(() -> visit(admission, served, false, "first", admitted));
            until(() -> admission.waiting() == 2);
            threads.execute(() -> visit(admission, served, true, "second", admitted));
            until(() -> admission.waiting() == 3);
            admission.leave(line, Entry.AS_NEWCOMER);
        }

        assertThat(admitted).containsExactly("first", "second", "new");
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void who_leaves_makes_room_at_once_and_counts_as_refused_to_nobody() throws Exception {
        var admission = new Admission(1, AWAY, new WaitingLimits(1, Duration.ofMinutes(5)), clients);
        var admitted = new LinkedBlockingQueue<String>();
        var waits = new LinkedBlockingQueue<WaitingRequest>();
        enter(admission, line, false, STAYING);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var left = threads.submit(() -> enter(admission, line, false, waits::add));
            admission.leaveRoom(waits.take());
            assertThat(left.get()).isEqualTo(Entry.NONE);
            assertThat(admission.waiting()).isZero();
            threads.execute(() -> visit(admission, line, "next", admitted));
            until(() -> admission.waiting() == 1);
            admission.leave(line, Entry.AS_NEWCOMER);
        }

        assertThat(admitted).containsExactly("next");
        assertThat(admission.refused()).isZero();
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void whoever_leaves_at_whatever_moment_is_counted_once() throws InterruptedException {
        var admission = new Admission(PLACES, AWAY, new WaitingLimits(THREADS, Duration.ofMinutes(5)), clients);
        var waits = new LinkedBlockingQueue<WaitingRequest>();
        var done = new AtomicInteger();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < THREADS; thread++) {
                boolean proven = thread % 2 == 0;
                WaitingLine own = clients.line(InetAddress.ofLiteral("192.0.2." + thread));
                threads.execute(() -> {
                    for (int visit = 0; visit < VISITS; visit++) {
                        Entry entry = enter(admission, own, proven, waits::add);
                        if (entry != Entry.NONE) {
                            LockSupport.parkNanos(1);
                            admission.leave(own, entry);
                        }
                    }
                    done.incrementAndGet();
                });
            }
            while (done.get() < THREADS) {
                WaitingRequest next = waits.poll(1, TimeUnit.MILLISECONDS);
                if (next != null) admission.leaveRoom(next);
            }
        }

        assertThat(admission.isIdle()).isTrue();
        assertThat(admission.refused()).isZero();
    }

    @Test
    void a_quarter_of_the_places_is_for_connections_that_were_served() throws Exception {
        Admission admission = withAllPlacesOfNewcomersTaken(8);
        WaitingLine served = clients.line(InetAddress.ofLiteral("192.0.2.1"));

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var next = threads.submit(() -> enter(admission, line, false, STAYING));
            until(() -> admission.waiting() == 1);
            for (int i = 0; i < 2; i++)
                assertThat(enter(admission, served, true, STAYING)).isEqualTo(Entry.AS_PROVEN);
            admission.leave(served, Entry.AS_PROVEN);
            assertThat(next.isDone()).as("it was no newcomer's").isFalse();
            admission.leave(line, Entry.AS_NEWCOMER);

            assertThat(next.get()).isEqualTo(Entry.AS_NEWCOMER);
        }

        for (int i = 0; i < 6; i++) admission.leave(line, Entry.AS_NEWCOMER);
        admission.leave(served, Entry.AS_PROVEN);
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void what_waited_when_its_connection_was_served_has_a_place_of_that_quarter() throws Exception {
        Admission admission = withAllPlacesOfNewcomersTaken(8);
        WaitingLine meanwhileServed = clients.line(InetAddress.ofLiteral("192.0.2.1"));

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> enter(admission, meanwhileServed, false, STAYING));
            until(() -> meanwhileServed.client().turns(false).count() == 1);
            var second = threads.submit(() -> enter(admission, meanwhileServed, true, STAYING));

            assertThat(first.get()).isEqualTo(Entry.AS_PROVEN);
            assertThat(second.get()).isEqualTo(Entry.AS_PROVEN);
        }

        for (int i = 0; i < 2; i++) admission.leave(meanwhileServed, Entry.AS_PROVEN);
        for (int i = 0; i < 6; i++) admission.leave(line, Entry.AS_NEWCOMER);
        assertThat(admission.isIdle()).isTrue();
    }

    @Test
    void what_waits_of_a_connection_has_such_a_place_as_soon_as_another_of_it_is_answered() throws Exception {
        Admission admission = withAllPlacesOfNewcomersTaken(8);
        WaitingLine meanwhileServed = clients.line(InetAddress.ofLiteral("192.0.2.1"));

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waits = threads.submit(() -> enter(admission, meanwhileServed, false, STAYING));
            until(() -> meanwhileServed.client().turns(false).count() == 1);
            admission.proved(meanwhileServed);

            assertThat(waits.get()).isEqualTo(Entry.AS_PROVEN);
        }
    }

    @Test
    void nobody_is_turned_away_for_who_has_a_place_at_once() throws Exception {
        Admission admission = withAllPlacesOfNewcomersTaken(1);
        WaitingLine served = clients.line(InetAddress.ofLiteral("192.0.2.1"));

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waits = threads.submit(() -> enter(admission, line, false, STAYING));
            until(() -> admission.waiting() == 1);
            assertThat(enter(admission, served, true, STAYING)).isEqualTo(Entry.AS_PROVEN);
            admission.leave(line, Entry.AS_NEWCOMER);

            assertThat(waits.get()).isEqualTo(Entry.AS_NEWCOMER);
            assertThat(admission.refused()).isZero();
        }
    }

    @Test
    void what_comes_back_from_its_client_takes_no_place_of_those() {
        var admission = new Admission(8, AWAY, WaitingLimits.NONE, clients);
        for (int i = 0; i < 6; i++) {
            enter(admission, line, false, STAYING);
            admission.away(line, Entry.AS_NEWCOMER, false);
        }
        for (int i = 0; i < 6; i++) enter(admission, line, false, STAYING);
        for (int i = 0; i < 6; i++) admission.back(line, Entry.AS_NEWCOMER, false);

        assertThat(admission.inFlight()).isEqualTo(12);
        for (int i = 0; i < 2; i++)
            assertThat(enter(admission, line, true, STAYING)).isEqualTo(Entry.AS_PROVEN);
        assertThat(enter(admission, line, true, STAYING)).isEqualTo(Entry.NONE);
    }

    /// Of eight places, six.
    private Admission withAllPlacesOfNewcomersTaken(int room) {
        var admission = new Admission(8, AWAY, new WaitingLimits(room, Duration.ofMinutes(5)), clients);
        for (int i = 0; i < 6; i++)
            assertThat(enter(admission, line, false, STAYING)).isEqualTo(Entry.AS_NEWCOMER);
        return admission;
    }

    private Entry enter(Admission admission, WaitingLine from, boolean proven, WaitingRequest.Waiter waiter) {
        return admission.enter(worker.getIoThread(), from, proven, waiter);
    }

    private void visit(Admission admission, WaitingLine from, String name, Queue<String> admitted) {
        visit(admission, from, false, name, admitted);
    }

    private void visit(Admission admission, WaitingLine from, boolean proven, String name, Queue<String> admitted) {
        Entry entry = enter(admission, from, proven, STAYING);
        if (entry == Entry.NONE) return;
        admitted.add(name);
        admission.leave(from, entry);
    }

    @Test
    void places_and_counts_are_whole_after_many_were_refused_and_ran_out_of_time() {
        var admission = new Admission(1, AWAY, new WaitingLimits(2, Duration.ofMillis(1)), clients);
        var admitted = new AtomicInteger();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < 8; thread++) {
                threads.execute(() -> {
                    for (int visit = 0; visit < 200; visit++) {
                        if (enter(admission, line, false, STAYING) == Entry.NONE) continue;
                        admitted.incrementAndGet();
                        LockSupport.parkNanos(1);
                        admission.leave(line, Entry.AS_NEWCOMER);
                    }
                });
            }
        }

        assertThat(admitted.get() + admission.refused()).isEqualTo(8 * 200);
        assertThat(admission.isIdle()).isTrue();
    }
}
