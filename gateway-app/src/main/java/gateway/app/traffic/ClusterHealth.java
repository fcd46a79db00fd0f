package gateway.app.traffic;

import co.elastic.clients.elasticsearch._types.HealthStatus;
import co.elastic.clients.elasticsearch.cluster.HealthResponse;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the cluster says of itself, asked once a minute, and more often while it is red: then shards are missing, and
/// who looks for records may not find all of them, though they are taken. A change stands in the log.
///
/// Asked by the shipper's thread; answers come on the cluster's.
final class ClusterHealth {
    private static final Logger log = LoggerFactory.getLogger(ClusterHealth.class);
    private static final long PERIOD = Duration.ofMinutes(1).toNanos();
    private static final long PERIOD_WHILE_RED = Duration.ofSeconds(10).toNanos();

    private final Cluster cluster;
    private boolean asked;
    private long askedAt;
    private volatile boolean awaited;
    private volatile boolean untold = true;
    private volatile String trouble = "";

    ClusterHealth(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Asks, if it is time to.
    void ask(long nowNanos) {
        if (awaited || (asked && nowNanos - askedAt < (trouble.isEmpty() ? PERIOD : PERIOD_WHILE_RED))) return;
        asked = true;
        askedAt = nowNanos;
        awaited = true;
        try {
            StreamCalls.over(cluster).health(this::told, this::unknown);
        } catch (RuntimeException | OutOfMemoryError e) {
            unknown(new ClusterReply.Unreachable(e.toString()));
        }
    }

    /// `state`, with the trouble of a cluster that takes records all the same.
    TrafficState with(TrafficState state) {
        String red = trouble;
        boolean shipping = state.condition() == TrafficState.Condition.SHIPPING;
        return shipping && !red.isEmpty() ? new TrafficState(state.condition(), red) : state;
    }

    private void told(HealthResponse health) {
        boolean red = health.status() == HealthStatus.Red;
        String now = red ? "Elasticsearch is red: " + health.unassignedShards() + " shards are not assigned" : "";
        if (red && trouble.isEmpty()) log.warn("{}; records are shipped all the same", now);
        if (!red && !trouble.isEmpty()) log.info("Elasticsearch is red no more");
        trouble = now;
        awaited = false;
    }

    /// It takes the cluster privilege `monitor`, which shipping does not.
    private void unknown(ClusterReply reply) {
        if (untold) log.info("the health of Elasticsearch is not known: {}", reply.text());
        untold = false;
        trouble = "";
        awaited = false;
    }
}
