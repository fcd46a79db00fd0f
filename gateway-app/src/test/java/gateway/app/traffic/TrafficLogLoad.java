package gateway.app.traffic;

import static gateway.Eventually.until;

import com.sun.management.OperatingSystemMXBean;
import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.http.Outcome;
import gateway.service.TrafficRecord;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/// What shipping costs: sends records to a real Elasticsearch as fast as it takes them and prints the CPU time per
/// record of everything but the thread that hands them over.
///
/// Arguments: URL, spill folder, records to warm up with, records to measure.
final class TrafficLogLoad {
    private static final int MOST_UNDER_WAY = 4_000;

    private final Random random = new Random(1);
    private final TrafficShipper shipper;

    private TrafficLogLoad(TrafficShipper shipper) {
        this.shipper = shipper;
    }

    public static void main(String[] arguments) {
        var target = TrafficTarget.Elasticsearch.of(
                List.of(URI.create(arguments[0])), new Credentials.None(), Path.of(arguments[1]));
        try (var shipper = TrafficShipper.start(TrafficSettings.of("node-1", target), InstantSource.system())) {
            var load = new TrafficLogLoad(shipper);
            load.send(Long.parseLong(arguments[2]), "warm");
            for (int round = 1; round <= 3; round++) load.send(Long.parseLong(arguments[3]), "round " + round);
        }
    }

    private void send(long count, String name) {
        var process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = ManagementFactory.getThreadMXBean();
        long started = System.nanoTime();
        long cpu = process.getProcessCpuTime();
        long own = threads.getCurrentThreadCpuTime();
        for (long i = 0; i < count; i++) {
            while (i % 100 == 0 && shipper.counts().underWay() > MOST_UNDER_WAY) LockSupport.parkNanos(1_000_000);
            shipper.record(record());
        }
        own = threads.getCurrentThreadCpuTime() - own;
        until(() -> shipper.counts().underWay() == 0, shipper::counts);
        cpu = process.getProcessCpuTime() - cpu - own;
        System.out.printf(
                "%s: %d records, %.0f/s, shipping %.2f us of CPU a record, handing over %.2f us; %s%n",
                name,
                count,
                count * 1e9 / (System.nanoTime() - started),
                cpu / 1e3 / count,
                own / 1e3 / count,
                shipper.counts());
    }

    private TrafficRecord record() {
        String id = hex() + hex();
        return new TrafficRecord(
                System.currentTimeMillis(),
                new TrafficRecord.Request(
                        id,
                        "GET",
                        "api.example.com",
                        "/orders/items/" + random.nextInt(10_000),
                        Records.address("10.0.0." + random.nextInt(255)),
                        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
                        id,
                        0),
                new TrafficRecord.Api(
                        "orders",
                        "Orders",
                        17,
                        "http://10.0.0.1:9001",
                        "",
                        Optional.of(new Records.Caller(List.of("gold")))),
                new Outcome(
                        200,
                        Outcome.Ending.COMPLETE,
                        100_000 + random.nextInt(900_000),
                        1_000_000 + random.nextInt(900_000)),
                1024,
                TrafficRecord.Detail.NONE);
    }

    private String hex() {
        return Long.toHexString(random.nextLong() | Long.MIN_VALUE);
    }
}
