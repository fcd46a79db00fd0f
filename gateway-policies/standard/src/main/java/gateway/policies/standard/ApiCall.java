package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.PartialAnswers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Dependency;
import gateway.policy.Followup;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Calls other services in the course of a request, before its upstream is asked or after: what they answer decides,
/// or becomes facts, variables and headers.
///
/// @param ofAnswer whether it calls once the upstream has answered
/// @param timeout of all calls together
/// @param concurrency calls to one service at once
/// @param maxBody of a body that is forwarded
public record ApiCall(List<CalledService> calls, boolean ofAnswer, Duration timeout, int concurrency, long maxBody)
        implements PolicySpec {
    private static final Problem PART = Problem.of(
            "response-refused",
            502,
            "Bad gateway",
            "The upstream's answer is refused: it is a part, which cannot be forwarded whole");

    public ApiCall {
        calls = List.copyOf(calls);
    }

    /// Before or after the upstream.
    enum Side {
        REQUEST,
        RESPONSE
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        List<ReadyCall> ready = calls.stream()
                .map(each -> ReadyCall.of(each, concurrency, placement, services))
                .toList();
        var round = new CallRound(ready, timeout);
        if (ofAnswer) {
            boolean wholes = forwards();
            return exchange -> {
                if (wholes) PartialAnswers.forgo(exchange.headers());
                return Verdict.proceed(new Afterwards(round, exchange, wholes));
            };
        }
        return exchange -> {
            Body body = exchange.outgoing().body();
            Optional<Problem> problem = round.run(exchange, exchange.headers(), body);
            return problem.isEmpty()
                    ? Verdict.proceed()
                    : Verdict.stop(problem.get().toResponse(exchange.requestId()));
        };
    }

    private boolean forwards() {
        return calls.stream().anyMatch(CalledService::forwards);
    }

    /// @param wholes whether parts of answers are refused
    private record Afterwards(CallRound round, Exchange exchange, boolean wholes) implements Followup {
        @Override
        public Response onResponse(Response response) {
            if (!response.reason().isEmpty()) return response; // a problem of the gateway's own
            if (wholes && PartialAnswers.include(response)) return PART.toResponse(exchange.requestId());
            return round.run(exchange, response.headers(), response.body())
                    .map(problem -> problem.toResponse(exchange.requestId()))
                    .orElse(response);
        }
    }

    @Override
    public BodyUse bodyUse() {
        if (!forwards()) return BodyUse.NONE;
        return ofAnswer
                ? BodyUse.ofResponses(BodyAccess.plain(maxBody))
                : BodyUse.ofRequests(BodyAccess.plain(maxBody));
    }

    @Override
    public Set<Dependency> dependencies() {
        return calls.stream().map(CalledService::dependency).collect(Collectors.toSet());
    }

    /// Calls that only decide leave nothing undone when they are not obeyed.
    @Override
    public boolean mayReport() {
        return calls.stream()
                .allMatch(each -> each.verdict().isPresent()
                        && each.take().isEmpty()
                        && each.fact().isEmpty());
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final int MOST_CALLS = 8;
        private static final String NO_QUERY = "{\"propertyNames\": {\"not\": {\"pattern\": \"^query\\\\.\"}}}";
        private static final String OF_ANSWERS = """
                {"if": {"required": ["on"], "properties": {"on": {"const": "response"}}},
                 "then": {"properties": {"take": NONE, "calls": {"items": {"properties": {"take": NONE}}}}}}""".replace("NONE", NO_QUERY);

        @Override
        public String name() {
            return "api-call";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public List<Stage> stages() {
            return List.of(Stage.TRANSFORM, Stage.AUTHORIZE, Stage.VALIDATE, Stage.UPSTREAM);
        }

        @Override
        public Set<OnOutage> outages() {
            return Set.of(OnOutage.ALLOW, OnOutage.DENY);
        }

        @Override
        public ApiCall read(ConfigNode node) {
            List<CalledService> calls = calls(node);
            boolean ofAnswer = node.field("on", "call before the upstream is asked, or once it has answered")
                            .choice(Side.REQUEST)
                    == Side.RESPONSE;
            boolean setsQuery = calls.stream().anyMatch(CalledService::setsQuery);
            node.obeys(OF_ANSWERS);
            if (ofAnswer && setsQuery) node.field("on").expected("\"request\", since answers have no query");
            return new ApiCall(
                    calls,
                    ofAnswer,
                    node.field("timeout", "of all calls together")
                            .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(1)),
                    (int) node.field("concurrency", "calls to one service at once; more wait up to `timeout`")
                            .integer(1, 1_000, 100),
                    node.field("maxBody", "most bytes of a body that is forwarded, once unpacked")
                            .size(1024, 16 << 20, 1 << 20));
        }

        private static List<CalledService> calls(ConfigNode node) {
            ConfigNode list =
                    node.field("calls", "several at once, 1 to 8, in place of the fields from `name` to `default`");
            node.one("calls", "url")
                    .apart(
                            "calls",
                            CalledService.FIELDS.stream()
                                    .filter(each -> !each.equals("url"))
                                    .toArray(String[]::new));
            if (!list.isPresent()) return List.of(CalledService.read(node, ""));
            for (String name : CalledService.FIELDS) {
                ConfigNode field = node.field(name);
                if (field.isPresent()) field.problem("expected either \"calls\" or \"" + name + "\", got both");
            }
            var calls = new ArrayList<CalledService>();
            list.list(each -> {
                each.requireObject();
                calls.add(CalledService.read(each, "/calls/" + calls.size()));
                each.refuseUnknownFields();
                return true;
            });
            list.extent(1, MOST_CALLS);
            if (calls.isEmpty() || calls.size() > MOST_CALLS)
                list.problem("expected 1 to " + MOST_CALLS + " calls, got " + calls.size());
            return calls;
        }
    }
}
