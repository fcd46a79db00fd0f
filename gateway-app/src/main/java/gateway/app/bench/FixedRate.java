package gateway.app.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/// An open-loop load generator: requests are due at a fixed rate, whatever became of those before. One thread, one
/// selector; a request that is due waits for a free connection, and its waiting counts. As wrk2 does.
final class FixedRate implements AutoCloseable {
    private static final long LONGEST_PARK_NANOS = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5); // for the last answers
    private static final Duration LONGEST_LATENCY = Duration.ofMinutes(10);

    private final InetSocketAddress address;
    private final ByteBuffer request;
    private final Selector selector;
    private final ArrayDeque<LoadConnection> free = new ArrayDeque<>();
    private final Set<LoadConnection> busy = new HashSet<>();
    private Histogram latency = histogram();
    private long refused;
    private int refusal;
    private long broken;

    private FixedRate(InetSocketAddress address, ByteBuffer request, Selector selector) {
        this.address = address;
        this.request = request;
        this.selector = selector;
    }

    static FixedRate over(int connections, InetSocketAddress address, LoadRequest request) throws IOException {
        var load = new FixedRate(address, request.encoded(), Selector.open());
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
        latency = histogram();
        refused = 0;
        refusal = 0;
        broken = 0;
        double interval = TimeUnit.SECONDS.toNanos(1) / rate;
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        long sent = 0;
        for (long now = begin; now < end; now = System.nanoTime()) {
            boolean any = selector.selectNow(this::ready) > 0;
            long due = begin + (long) (sent * interval);
            while (due <= now && due < end && !free.isEmpty()) {
                send(free.poll(), due);
                sent++;
                due = begin + (long) (sent * interval);
                any = true;
            }
            if (!any) LockSupport.parkNanos(Math.clamp(due - now, 1, LONGEST_PARK_NANOS));
        }
        return result(rate, time, sent);
    }

    private RateResult result(double rate, Duration time, long sent) throws IOException {
        long inTime = latency.getTotalCount();
        finish();
        long due = (long) (rate * time.toNanos() / TimeUnit.SECONDS.toNanos(1));
        return new RateResult(
                rate,
                inTime * 1e9 / time.toNanos(),
                refused,
                refusal,
                broken,
                Math.max(0, due - sent) + busy.size(),
                latency.getValueAtPercentile(50) / 1e6,
                latency.getValueAtPercentile(99) / 1e6,
                Duration.ZERO,
                time);
    }

    /// Awaits what is under way, and begins anew where nothing comes.
    private void finish() throws IOException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!busy.isEmpty() && System.nanoTime() - until < 0) selector.select(this::ready, 100);
    }

    private void connect() throws IOException {
        free.add(LoadConnection.open(address, selector, request));
    }

    private void send(LoadConnection connection, long due) throws IOException {
        busy.add(connection);
        try {
            connection.send(due);
        } catch (IOException e) {
            broken++;
            replace(connection);
        }
    }

    private void ready(SelectionKey key) {
        var connection = (LoadConnection) key.attachment();
        try {
            if (!connection.proceed()) return;
            latency.recordValue(System.nanoTime() - connection.due());
            judge(connection.status());
            if (connection.isKept()) {
                busy.remove(connection);
                free.add(connection);
            } else {
                replace(connection);
            }
        } catch (IOException e) {
            broken++;
            replaceOrGoOn(connection);
        }
    }

    private void judge(int status) {
        if (status >= 200 && status < 400) return;
        refused++;
        refusal = status;
    }

    private void replaceOrGoOn(LoadConnection connection) {
        try {
            replace(connection);
        } catch (IOException e) {
            broken++; // one connection fewer
        }
    }

    private void replace(LoadConnection connection) throws IOException {
        busy.remove(connection);
        connection.close();
        connect();
    }

    private static Histogram histogram() {
        return new Histogram(LONGEST_LATENCY.toNanos(), 3);
    }

    @Override
    public void close() throws IOException {
        free.forEach(LoadConnection::close);
        busy.forEach(LoadConnection::close);
        selector.close();
    }
}
