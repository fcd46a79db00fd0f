package gateway.app.traffic;

import gateway.app.traffic.TrafficTarget.Credentials;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Shippers that make small batches and are told to be quick.
final class TestShippers {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");

    private TestShippers() {}

    static TrafficShipper start(TrafficTarget target) {
        return TrafficShipper.start(settings(target), InstantSource.system());
    }

    static TrafficSettings settings(TrafficTarget target) {
        return new TrafficSettings(
                "node-1", 16_384, 50, 1 << 20, Duration.ofMillis(50), Duration.ofSeconds(10), target);
    }

    /// An Elasticsearch that is away.
    static TrafficTarget elasticsearch(Path spill, long spillBytes) {
        return elasticsearch(NOWHERE, spill, spillBytes);
    }

    static TrafficTarget elasticsearch(URI node, Path spill, long spillBytes) {
        return new TrafficTarget.Elasticsearch(
                List.of(node),
                new Credentials.None(),
                Optional.empty(),
                TrafficTarget.Elasticsearch.DATA_STREAM,
                Duration.ofDays(1),
                Optional.empty(),
                3,
                Duration.ofSeconds(2),
                spill,
                spillBytes);
    }
}
