package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policy.CompiledPolicy;
import gateway.policy.Dependency;
import gateway.policy.OnOutage;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.service.Counting;
import gateway.service.Rule;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// Bounds how many requests come in a short time; answers 429 past it.
///
/// @param burst requests that may come at once, for the token bucket
public record RateLimit(long requests, Duration per, long burst, Algorithm algorithm, CountedBy by, Counting counting)
        implements PolicySpec {
    private static final long MOST_REQUESTS = 1_000_000;

    /// How requests are counted; see [Rule].
    public enum Algorithm {
        TOKEN_BUCKET(""),
        SLIDING_WINDOW("/sliding-window"),
        FIXED_WINDOW("/fixed-window");

        private final String variant;

        Algorithm(String variant) {
            this.variant = variant;
        }
    }

    @Override
    public CompiledPolicy compile(PolicyPlace placement, Services services) {
        return new CountedLimit(LimitKind.RATE, algorithm.variant, rule(), by, counting, placement, services.clock());
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public Set<Dependency> dependencies() {
        return Set.of(Dependency.Store.COUNTERS);
    }

    private Rule rule() {
        return switch (algorithm) {
            case TOKEN_BUCKET -> new Rule.TokenBucket(requests, per.toNanos(), burst);
            case SLIDING_WINDOW -> new Rule.SlidingWindow(requests, per.toNanos());
            case FIXED_WINDOW -> new Rule.FixedWindow(requests, per.toNanos());
        };
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "rate-limit";
        }

        @Override
        public Stage stage() {
            return Stage.LIMIT;
        }

        @Override
        public Set<OnOutage> outages() {
            return EnumSet.allOf(OnOutage.class);
        }

        @Override
        public RateLimit read(ConfigNode node) {
            long requests = node.field("requests", "how many").integer(1, MOST_REQUESTS);
            var per = node.field("per", "in how much time").duration(Duration.ofMillis(1), Duration.ofDays(1));
            var algorithm = node.field("algorithm", "how they are counted").choice(Algorithm.TOKEN_BUCKET);
            var burst = node.field("burst", "how many may come at once; token bucket only")
                    .unlessGiven("`requests`");
            node.onlyWhere("burst", "algorithm", true, "token-bucket");
            if (burst.isPresent() && algorithm != Algorithm.TOKEN_BUCKET) {
                burst.problem("expected only with \"algorithm\": \"token-bucket\"");
            }
            return new RateLimit(
                    requests,
                    per,
                    burst.integer(1, MOST_REQUESTS, requests),
                    algorithm,
                    CountedBy.read(node.field("by", "whose requests are counted together")
                            .form("`key`, `ip`, `api`, `header:<name>`")),
                    node.field(
                                    "counting",
                                    "one decision on the shared count for each request, or slices that a node spends by itself")
                            .choice(Counting.EXACT));
        }
    }
}
