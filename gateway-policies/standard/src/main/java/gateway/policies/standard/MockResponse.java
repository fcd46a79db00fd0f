package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Answers in place of the upstream, once everything before it has let the request pass.
///
/// @param examples other answers, for whoever asks for them
/// @param delay how long a request waits for its answer
/// @param requests which ones it answers; empty: all
public record MockResponse(MockAnswer answer, List<MockExample> examples, Duration delay, List<PathRule> requests)
        implements PolicySpec {
    public MockResponse {
        examples = List.copyOf(examples);
        requests = List.copyOf(requests);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var pause = new MockDelay(delay);
        var matches = new LongMatches(services.workers(), PathRule.instructions(requests));
        Function<Exchange, Response> usual = answer.compile(services);
        List<Function<Exchange, Response>> others =
                examples.stream().map(each -> each.answer().compile(services)).toList();
        return exchange -> {
            if (!matches.on(exchange.pathInApi(), exchange, () -> answers(exchange))) return Verdict.proceed();
            if (!exchange.isSupposed()) pause.await();
            return Verdict.answer(others.isEmpty() ? usual.apply(exchange) : chosen(exchange, usual, others));
        };
    }

    private boolean answers(Exchange exchange) {
        return requests.isEmpty() || PathRule.anyCovers(requests, exchange);
    }

    private Response chosen(
            Exchange exchange, Function<Exchange, Response> usual, List<Function<Exchange, Response>> others) {
        Optional<Integer> index =
                MockExample.preferred(examples, exchange.headers().all("Prefer"));
        Response response = index.isEmpty()
                ? usual.apply(exchange)
                : others.get(index.get())
                        .apply(exchange)
                        .with(
                                "Preference-Applied",
                                "example=" + examples.get(index.get()).name());
        response.headers().add("Vary", "Prefer");
        return response;
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final Duration LONGEST = Duration.ofSeconds(10);

        @Override
        public String name() {
            return "mock-response";
        }

        @Override
        public Stage stage() {
            return Stage.CACHE;
        }

        @Override
        public MockResponse read(ConfigNode node) {
            boolean templates = node.field(
                            "template",
                            "whether `json`, `body` and `headers` may hold placeholders such as `{request.path.id}`")
                    .bool(false);
            return new MockResponse(
                    MockAnswer.read(node, templates),
                    MockExample.readAll(
                            node.field("examples", "other answers, for those who ask for them by `Prefer`"), templates),
                    node.field("delay", "how long a request waits for its answer")
                            .duration(Duration.ZERO, LONGEST, Duration.ZERO),
                    node.field(
                                    "requests",
                                    "which requests are answered; the others go to the upstream; `GET` answers `HEAD`"
                                            + " too")
                            .form("rules, as in `path-rules`")
                            .unlessGiven("every request")
                            .list(rule -> PathRule.read(rule, false)));
        }
    }
}
