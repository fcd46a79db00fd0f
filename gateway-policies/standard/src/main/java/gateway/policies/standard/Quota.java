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
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;

/// Bounds how many requests come in a long period, rolling or of the calendar; answers 429 past it. Counts are
/// durable.
public record Quota(Rule rule, CountedBy by, Counting counting) implements PolicySpec {
    private static final long MOST_REQUESTS = 1_000_000_000_000L;

    @Override
    public CompiledPolicy compile(PolicyPlace placement, Services services) {
        String variant = rule instanceof Rule.CalendarPeriod ? "/calendar" : "";
        return new CountedLimit(LimitKind.QUOTA, variant, rule, by, counting, placement, services.clock());
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public Set<Dependency> dependencies() {
        return Set.of(Dependency.Store.COUNTERS);
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "quota";
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
        public Quota read(ConfigNode node) {
            return new Quota(
                    rule(node),
                    CountedBy.read(node.field("by", "whose requests are counted together, as in `rate-limit`")
                            .form("`key`, `ip`, `api`, `header:<name>`")),
                    node.field("counting", "as in `rate-limit`").choice(Counting.EXACT));
        }

        private static Rule rule(ConfigNode node) {
            long requests = node.field("requests", "how many").integer(1, MOST_REQUESTS);
            var per = node.field("per", "a period that begins with the first request counted; this or `every`");
            var every = node.field("every", "a period of the calendar; weeks begin on Monday; this or `per`");
            var zone = node.field("zone", "whose calendar; with `every` only").form("IANA time zone");
            node.one("per", "every").beside("every", "zone");
            if (every.isPresent()) {
                if (per.isPresent()) per.problem("expected either \"per\" or \"every\", got both");
                return new Rule.CalendarPeriod(requests, every.choice(Rule.CalendarUnit.MONTH), zone(zone));
            }
            if (zone.isPresent()) zone.problem("expected only with \"every\"");
            long nanos =
                    per.duration(Duration.ofSeconds(1), Duration.ofDays(3660)).toNanos();
            return new Rule.RollingPeriod(requests, nanos);
        }

        private static ZoneId zone(ConfigNode node) {
            String text = node.text("UTC");
            try {
                return ZoneId.of(text);
            } catch (DateTimeException e) {
                boolean isText = node.json().orElseThrow().isString();
                if (isText) node.problem("expected a time zone such as \"Europe/Berlin\", got \"" + text + "\"");
                return ZoneOffset.UTC;
            }
        }
    }
}
