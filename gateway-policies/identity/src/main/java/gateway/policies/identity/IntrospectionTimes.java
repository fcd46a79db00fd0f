package gateway.policies.identity;

import gateway.json.ConfigNode;
import java.time.Duration;

/// How long answers are waited for and remembered.
///
/// @param timeout of one question
/// @param cacheFor how long an active token is not asked about again; zero: it is each time
/// @param negativeCacheFor the same of one that is not
/// @param stale how long after that an active token is taken while the server is away
record IntrospectionTimes(Duration timeout, Duration cacheFor, Duration negativeCacheFor, Duration stale) {
    private static final Duration HOUR = Duration.ofHours(1);

    /// How long an active token is remembered at all.
    Duration longest() {
        return cacheFor.plus(stale);
    }

    /// Reads the same of a service that judges assertions.
    static IntrospectionTimes ofAssertions(ConfigNode node) {
        return new IntrospectionTimes(
                node.field("timeout", "for one question, connecting included")
                        .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(1)),
                node.field("cacheFor", "how long a valid assertion is not asked about again; `0s`: each time")
                        .duration(Duration.ZERO, HOUR, Duration.ofSeconds(30)),
                node.field("negativeCacheFor", "how long one that is not valid is not asked about again")
                        .duration(Duration.ZERO, Duration.ofMinutes(1), Duration.ofSeconds(5)),
                node.field("stale", "how long after `cacheFor` a valid assertion is taken while the service is away")
                        .duration(Duration.ZERO, HOUR, Duration.ZERO));
    }

    static IntrospectionTimes read(ConfigNode node) {
        return new IntrospectionTimes(
                node.field("timeout", "for one question, connecting included")
                        .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(1)),
                node.field("cacheFor", "how long an active token is not asked about again; `0s`: each time")
                        .duration(Duration.ZERO, HOUR, Duration.ofSeconds(30)),
                node.field("negativeCacheFor", "how long one that is not active is not asked about again")
                        .duration(Duration.ZERO, Duration.ofMinutes(1), Duration.ofSeconds(5)),
                node.field("stale", "how long after `cacheFor` an active token is taken while the server is away")
                        .duration(Duration.ZERO, HOUR, Duration.ZERO));
    }
}
