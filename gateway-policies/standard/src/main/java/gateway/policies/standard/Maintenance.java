package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.config.ResourceReader;
import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Answers 503 while an API is being worked on.
///
/// @param from when it begins; empty: it has
/// @param until when it ends; empty: when the definition changes
/// @param retryAfter what clients are told where no end is known
/// @param body in place of the problem that they are told
public record Maintenance(
        Optional<Instant> from, Optional<Instant> until, Duration retryAfter, Optional<ResourceReference> body)
        implements PolicySpec {
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final String REASON = "maintenance";

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        InstantSource clock = services.clock();
        Optional<Resource> page = body.map(services::resource);
        return exchange -> {
            Instant now = clock.instant();
            boolean lasts = from.filter(now::isBefore).isEmpty()
                    && until.filter(end -> !now.isBefore(end)).isEmpty();
            return lasts ? Verdict.stop(refusal(page, now, exchange)) : Verdict.proceed();
        };
    }

    private Response refusal(Optional<Resource> page, Instant now, Exchange exchange) {
        Duration left = until.map(end -> Duration.between(now, end)).orElse(retryAfter);
        long seconds = Math.max(1, left.plusMillis(999).toSeconds()); // never before the end
        Response response = page.map(Maintenance::shown)
                .orElseGet(() -> Problem.of(REASON, 503, "Maintenance", "This API is being worked on")
                        .toResponse(exchange.requestId()));
        return response.with("Retry-After", Long.toString(seconds));
    }

    private static Response shown(Resource page) {
        Response plain = Response.of(503).withBody(Body.of(page.bytes()));
        return plain.with("Content-Type", page.contentType()).because(REASON);
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "maintenance";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.GUARD, Stage.AUTHORIZE);
        }

        @Override
        public Maintenance read(ConfigNode node) {
            Optional<Instant> from =
                    node.field("from", "when it begins").unlessGiven("it has").optionalInstant();
            ConfigNode end =
                    node.field("until", "when it ends; clients are told").unlessGiven("it does not");
            Optional<Instant> until = end.optionalInstant();
            if (from.isPresent() && until.filter(from.get()::isBefore).isEmpty() && until.isPresent())
                end.expected("a time after \"from\"");
            ConfigNode body = node.field("body", "in place of the problem: `{\"resource\": \"id\"}`");
            return new Maintenance(
                    from,
                    until,
                    node.field("retryAfter", "what clients are told where no end is known")
                            .duration(Duration.ofSeconds(1), LONGEST, Duration.ofMinutes(10)),
                    body.isPresent() ? Optional.of(ResourceReader.read(body)) : Optional.empty());
        }
    }
}
