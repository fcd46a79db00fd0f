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

    static IntrospectionTimes read(ConfigNode node) {
        return read(node, "an active token", "active", "server");
    }

    /// Reads the same of a service that judges assertions.
    static IntrospectionTimes ofAssertions(ConfigNode node) {
        return read(node, "a valid assertion", "valid", "service");
    }

    private static IntrospectionTimes read(ConfigNode node, String good, String verdict, String asked) {
        return new IntrospectionTimes(
                node.field("timeout", "for one question, connecting included")
                        .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(1)),
                node.field("cacheFor", "how long " + good + " is not asked about again; `0s`: each time")
                        .duration(Duration.ZERO, HOUR, Duration.ofSeconds(30)),
                node.field("negativeCacheFor", "how long one that is not " + verdict + " is not asked about again")
                        .duration(Duration.ZERO, Duration.ofMinutes(1), Duration.ofSeconds(5)),
                node.field("stale", "how long after `cacheFor` " + good + " is taken while the " + asked + " is away")
                        .duration(Duration.ZERO, HOUR, Duration.ZERO));
    }
}
