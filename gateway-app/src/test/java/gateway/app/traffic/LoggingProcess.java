package gateway.app.traffic;

import gateway.app.traffic.TrafficTarget.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// A process that logs until it is killed, and prints how many records it has on disk.
final class LoggingProcess {
    private LoggingProcess() {}

    static Process start(URI elasticsearch, String dataStream, Path spill) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoggingProcess.class.getName(),
                        elasticsearch.toString(),
                        dataStream,
                        spill.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// Waits until `process` says that `wanted` records are on disk.
    static long awaitCount(Process process, long wanted) throws IOException {
        var lines = process.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.startsWith("spilled ")) continue;
            long spilled = Long.parseLong(line.substring("spilled ".length()));
            if (spilled >= wanted) return spilled;
        }
        throw new IOException("the process ended");
    }

    public static void main(String[] arguments) {
        var all = TrafficTarget.Elasticsearch.of(
                List.of(URI.create(arguments[0])), new Credentials.None(), Path.of(arguments[2]));
        var target = new TrafficTarget.Elasticsearch(
                all.nodes(),
                all.credentials(),
                all.authorities(),
                arguments[1],
                all.retention(),
                all.lifecyclePolicy(),
                all.requestsInFlight(),
                all.timeout(),
                all.spill(),
                all.spillBytes());
        TrafficShipper shipper = TrafficShipper.start(TrafficSettings.of("node-2", target), InstantSource.system());
        for (long i = 0; ; i++) {
            shipper.record(Records.numbered(i));
            if (i % 100 == 0) System.out.println("spilled " + shipper.counts().spilled());
            LockSupport.parkNanos(100_000);
        }
    }
}
