package gateway.route;

import gateway.http.Problem;
import gateway.policy.CompiledPolicy;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Verdict;
import java.time.Instant;
import java.time.InstantSource;

/// Refuses every request from a moment on.
public record VersionExpiry(Instant expires) implements PolicySpec {
    private static final Problem EXPIRED =
            Problem.of("version-expired", 403, "Version expired", "This version of the API is no longer served");

    @Override
    public CompiledPolicy compile(PolicyPlace placement, Services services) {
        InstantSource clock = services.clock();
        long end = expires.toEpochMilli();
        return (Policy) exchange ->
                clock.millis() < end ? Verdict.proceed() : Verdict.stop(EXPIRED.toResponse(exchange.requestId()));
    }
}
