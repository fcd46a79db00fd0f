package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.http.Problem;
import gateway.json.ConfigNode;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.time.Duration;
import java.util.Optional;

/// Bounds how many requests of one caller a node works on at once; answers 429 past it.
///
/// @param patience how long a request may wait for one of its caller's to end
public record ConcurrencyLimit(int requests, CountedBy by, Duration patience) implements PolicySpec {
    private static final int MOST = 100_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /// Whatever the definition says anew, those under way count.
    private record Id(String policy) {}

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var slots = services.shared(new Id(placement.counter()), CallerSlots.class, CallerSlots::new);
        return exchange -> decide(exchange, slots);
    }

    private Verdict decide(Exchange exchange, CallerSlots slots) {
        boolean anybody = exchange.consumer().isEmpty() && exchange.authenticationWaived();
        if (by instanceof CountedBy.Key && anybody) return Verdict.proceed(); // as with other limits
        String subject = by.subject(exchange);
        if (!slots.take(subject, requests, patience)) return refused(exchange);
        return Verdict.proceed(new Held(slots, subject));
    }

    private static Verdict refused(Exchange exchange) {
        return Verdict.stop(
                Problem.of("too-many-at-once", 429, "Too many at once", "Too many of your requests are under way")
                        .toResponse(exchange.requestId())
                        .with("Retry-After", "1"));
    }

    /// A slot until the exchange is over, however it ends.
    private record Held(CallerSlots slots, String subject) implements Followup {
        @Override
        public void onEnd(Outcome outcome) {
            slots.give(subject);
        }
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public Optional<String> sideEffect() {
        return Optional.of("it counts requests that are under way");
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "concurrency-limit";
        }

        @Override
        public Stage stage() {
            return Stage.LIMIT;
        }

        @Override
        public ConcurrencyLimit read(ConfigNode node) {
            return new ConcurrencyLimit(
                    (int) node.field("requests", "how many at once, on each node")
                            .integer(1, MOST),
                    CountedBy.read(node.field("by", "whose requests are counted together")
                            .form("`key`, `ip`, `api`, `header:<name>`")),
                    node.field("wait", "so long one more waits for another to end; as many as `requests` may wait")
                            .duration(Duration.ZERO, LONGEST_WAIT, Duration.ZERO));
        }
    }
}
