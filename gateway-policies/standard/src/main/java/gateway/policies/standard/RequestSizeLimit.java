package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Problem;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Bounds the bytes of a request: of its body from above and below, of its header fields and its query.
///
/// @param max bytes of body as they come over the wire
/// @param min bytes of body of a request that has one or should have
/// @param headers most bytes of names and values of all fields; the largest number there is: as many as the listener
///     takes
/// @param query most bytes of the query, percent-encoded; the same
public record RequestSizeLimit(long max, long min, long headers, long query) implements PolicySpec {
    private static final long LARGEST = 1L << 40;
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return exchange -> {
            Optional<Problem> flaw = flaw(exchange);
            if (flaw.isPresent()) return Verdict.stop(flaw.get().toResponse(exchange.requestId()));
            exchange.limitBody(max);
            return Verdict.proceed();
        };
    }

    private Optional<Problem> flaw(Exchange exchange) {
        OptionalLong length = exchange.body().length();
        if (query < Long.MAX_VALUE && exchange.outgoing().query().length() > query) {
            return problem("query-too-long", 414, "URI too long", "The query is longer than " + query + " bytes");
        }
        if (headers < Long.MAX_VALUE && bytes(exchange.headers()) > headers) {
            String detail = "The header fields are larger than " + headers + " bytes";
            return problem("headers-too-large", 431, "Request header fields too large", detail);
        }
        if (length.orElse(0) > max) {
            return problem("body-too-large", 413, "Content too large", "The body is larger than " + max + " bytes");
        }
        return min > 0 ? tooSmall(exchange, length) : Optional.empty();
    }

    /// How much comes has to be told beforehand: a body that turns out too small has reached the upstream.
    private Optional<Problem> tooSmall(Exchange exchange, OptionalLong length) {
        if (length.isEmpty()) {
            String detail = "A Content-Length is required, of " + min + " bytes or more";
            return problem("length-required", 411, "Length required", detail);
        }
        boolean counts = length.getAsLong() > 0 || WITH_BODY.contains(exchange.method());
        if (!counts || length.getAsLong() >= min) return Optional.empty();
        return problem("body-too-small", 400, "Content too small", "The body is smaller than " + min + " bytes");
    }

    private static long bytes(Headers fields) {
        long[] sum = {0};
        fields.forEach((name, value) -> sum[0] += name.length() + value.length());
        return sum[0];
    }

    private static Optional<Problem> problem(String type, int status, String title, String detail) {
        return Optional.of(Problem.of(type, status, title, detail));
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final long LARGEST_HEAD = 1L << 20;

        @Override
        public String name() {
            return "request-size-limit";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.GUARD, Stage.VALIDATE);
        }

        @Override
        public RequestSizeLimit read(ConfigNode node) {
            long max = node.field("max", "most bytes of body; headers do not count")
                    .size(0, LARGEST);
            var min = node.field("min", "least bytes of the body of `POST`, `PUT`, `PATCH` and whatever else has one");
            long least = min.size(0, LARGEST, 0);
            if (least > max) min.problem("expected no more than \"max\", " + max + ", got " + least);
            return new RequestSizeLimit(
                    max,
                    least,
                    bound(node.field("headers", "most bytes of names and values of header fields")),
                    bound(node.field("query", "most bytes of the query, as it is sent")));
        }

        private static long bound(ConfigNode node) {
            var given = node.unlessGiven("as many as the listener takes");
            return given.size(0, LARGEST_HEAD, Long.MAX_VALUE);
        }
    }
}
