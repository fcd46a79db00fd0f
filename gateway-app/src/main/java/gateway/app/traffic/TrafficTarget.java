package gateway.app.traffic;

import gateway.http.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Where records go.
public sealed interface TrafficTarget {
    /// Lines on standard output.
    record Stdout() implements TrafficTarget {}

    /// Lines in a file. Past `maxBytes` it is renamed to carry a number and a new one begun; `keep` old ones stay.
    record File(Path file, long maxBytes, int keep, Fsync fsync) implements TrafficTarget {}

    /// When written lines are forced to the disk. All of them survive the end of the process; this is about power loss.
    enum Fsync {
        NEVER,
        INTERVAL,
        ALWAYS
    }

    /// @param nodes any of the cluster's nodes; the next one is tried when one is away
    /// @param dataStream its index template carries the same name
    /// @param retention after which Elasticsearch deletes records
    /// @param lifecyclePolicy an ILM policy, used where the cluster has ILM
    /// @param requestsInFlight `_bulk` requests under way at once
    /// @param timeout of one request
    /// @param spill folder of what cannot be shipped
    /// @param spillBytes most bytes there; over it the oldest is dropped
    record Elasticsearch(
            List<URI> nodes,
            Credentials credentials,
            Optional<Path> authorities,
            String dataStream,
            Duration retention,
            Optional<String> lifecyclePolicy,
            int requestsInFlight,
            Duration timeout,
            Path spill,
            long spillBytes)
            implements TrafficTarget {
        public static final String DATA_STREAM = "logs-gateway.traffic-default";

        public Elasticsearch {
            nodes = List.copyOf(nodes);
        }

        /// What is right unless somebody knows better.
        public static Elasticsearch of(List<URI> nodes, Credentials credentials, Path spill) {
            return new Elasticsearch(
                    nodes,
                    credentials,
                    Optional.empty(),
                    DATA_STREAM,
                    Duration.ofDays(30),
                    Optional.empty(),
                    3,
                    Duration.ofSeconds(10),
                    spill,
                    1L << 30);
        }
    }

    /// Who the gateway is to Elasticsearch.
    sealed interface Credentials {
        record None() implements Credentials {}

        /// @param key in the encoded form that Elasticsearch gives out
        record ApiKey(Secret key) implements Credentials {}

        record Basic(String user, Secret password) implements Credentials {}
    }
}
