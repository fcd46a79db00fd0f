package gateway.app.commands;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// An open-loop load generator: requests are due at a fixed rate, whatever became of those before. One thread, one
/// selector, no allocation for a request; a request that is due waits for a free connection, and its waiting counts.
/// As wrk2 does. Arrivals are evenly spaced.
final class FixedRate implements AutoCloseable {
    private static final long LONGEST_PARK_NANOS = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5); // for what is late, and for the last answers
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    private final InetSocketAddress address;
    private final ByteBuffer request;
    private final boolean bodiless;
    private final Selector selector;
    private final Consumer<SelectionKey> ready = this::ready;
    private final List<LoadConnection> connections = new CopyOnWriteArrayList<>(); // closed by another thread, maybe
    private final ArrayDeque<LoadConnection> free = new ArrayDeque<>();
    private LoadCounts tally = new LoadCounts(0, 0);

    private FixedRate(InetSocketAddress address, LoadRequest request, Selector selector) {
        this.address = address;
        this.request = request.encoded();
        this.bodiless = request.method().equals("HEAD");
        this.selector = selector;
    }

    /// To be used by the thread that calls this.
    ///
    /// @throws IOException when the address takes no connection
    static FixedRate over(int connections, InetSocketAddress address, LoadRequest request) throws IOException {
        PreciseTimers.take();
        var load = new FixedRate(address, request, Selector.open());
        try {
            for (int i = 0; i < connections; i++) load.connect();
        } catch (IOException e) {
            load.close();
            throw e;
        }
        return load;
    }

    /// Offers `rate` requests a second for so long, then waits a little for the last answers.
    RateResult run(double rate, Duration time) throws IOException {
        return run(rate, Duration.ZERO, time);
    }

    /// The same after a warm-up at the same rate that counts for nothing.
    RateResult run(double rate, Duration warmUp, Duration time) throws IOException {
        double interval = SECOND / rate;
        long cpu = cpu();
        long begin = System.nanoTime();
        long from = begin + warmUp.toNanos();
        long end = from + time.toNanos();
        tally = new LoadCounts(from, end);
        long number = drive(0, begin, interval, end, end);
        long sentInTime = tally.sent();
        drive(number, begin, interval, end, end + PATIENCE.toNanos());
        awaitAnswers(end + PATIENCE.toNanos());
        long due = (long) (rate * time.toNanos() / SECOND);
        return tally.result(rate, due, sentInTime, Duration.ofNanos(cpu() - cpu));
    }

    /// As many requests as the connections carry, each sending its next when it has its answer.
    RateResult peak(Duration time) throws IOException {
        long cpu = cpu();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        tally = new LoadCounts(begin, end);
        for (long now = begin; now < end && !connections.isEmpty(); now = System.nanoTime()) {
            boolean any = selector.selectNow(ready) > 0;
            any |= !free.isEmpty();
            while (!free.isEmpty()) send(free.poll(), now, now);
            if (!any) LockSupport.parkNanos(LONGEST_PARK_NANOS);
        }
        awaitAnswers(end + PATIENCE.toNanos());
        return tally.result(
                tally.sent() * SECOND / time.toNanos(), tally.sent(), tally.sent(), Duration.ofNanos(cpu() - cpu));
    }

    /// Sends what is due before `end`, until all has left or `until` has come.
    ///
    /// @param number of the next request
    /// @return that of the first that has not left
    private long drive(long number, long begin, double interval, long end, long until) throws IOException {
        long next = number;
        long due = begin + (long) (next * interval);
        for (long now = System.nanoTime();
                due < end && now < until && !connections.isEmpty();
                now = System.nanoTime()) {
            boolean any = selector.selectNow(ready) > 0;
            while (due <= now && due < end && !free.isEmpty()) {
                send(free.poll(), due, now);
                due = begin + (long) (++next * interval);
                any = true;
            }
            if (!any) LockSupport.parkNanos(Math.clamp(due - now, 1, LONGEST_PARK_NANOS));
        }
        return next;
    }

    /// Awaits what is under way; connections on which nothing comes are replaced, so that no later run is told of it.
    private void awaitAnswers(long until) throws IOException {
        while (free.size() < connections.size() && System.nanoTime() < until) selector.select(ready, 20);
        for (LoadConnection each : connections) if (each.isBusy()) replace(each);
    }

    private void connect() throws IOException {
        LoadConnection opened = LoadConnection.open(address, selector, request, bodiless);
        connections.add(opened);
        free.add(opened);
    }

    private void send(LoadConnection connection, long due, long now) {
        tally.sent(due, connection.freeSince(), now);
        try {
            connection.send(due);
        } catch (IOException e) {
            breaks(connection);
        }
    }

    private void ready(SelectionKey key) {
        var connection = (LoadConnection) key.attachment();
        try {
            if (!connection.proceed()) return;
            long now = System.nanoTime();
            tally.answered(connection.due(), connection.status(), now);
            if (connection.isKept()) {
                connection.rest(now);
                free.add(connection);
            } else {
                replace(connection);
            }
        } catch (IOException e) {
            breaks(connection);
        }
    }

    /// A request whose connection breaks has no latency; it is counted. So is a connection that closes at rest.
    private void breaks(LoadConnection connection) {
        tally.broken();
        free.remove(connection);
        try {
            replace(connection);
        } catch (IOException e) {
            tally.broken(); // one connection fewer
        }
    }

    private void replace(LoadConnection connection) throws IOException {
        connection.close();
        if (connections.remove(connection)) connect(); // else it has been tried before
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /// Another thread that is in a run sees [java.nio.channels.ClosedSelectorException].
    @Override
    public void close() throws IOException {
        selector.close();
        connections.forEach(LoadConnection::close);
    }
}
