package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Allowance;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.FakeServices;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.Permit;
import gateway.service.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Policies of different types in one pipeline.
final class PoliciesTogetherTest {
    private static final String KEY = "{'type': 'key-auth', 'header': 'X-API-Key'}";
    private static final String RATE = "{'type': 'rate-limit', 'requests': 3, 'per': '1s'}";
    private static final String QUOTA = "{'type': 'quota', 'requests': 2, 'per': '30d'}";
    private static final String CORS = "{'type': 'cors', 'allowedOrigins': ['https://app.example.com']}";
    private static final String RULES = "{'type': 'path-rules', 'ignore': [{'path': '/health'}]}";

    private final FakeServices services = new FakeServices();

    @Test
    void run_in_the_order_of_their_stages_whatever_the_definition_says() {
        assertThat(pipeline(QUOTA, RATE, KEY, RULES, CORS))
                .hasToString("[path-rules, cors, key-auth, quota, rate-limit, key:rate-limit, key:quota]");
    }

    @Test
    void tell_the_tightest_limit_and_list_all_whatever_their_order() {
        addKey(Optional.empty());
        for (Pipeline pipeline : List.of(pipeline(KEY, RATE, QUOTA), pipeline(KEY, QUOTA, RATE))) {
            services.clock().advance(Duration.ofDays(31));

            var headers = run(pipeline, call()).headers();

            assertThat(headers.first("X-RateLimit-Limit")).contains("2");
            assertThat(headers.first("X-RateLimit-Remaining")).contains("1");
            assertThat(headers.all("RateLimit"))
                    .containsExactlyInAnyOrder("\"rate-limit\";r=2;t=1", "\"quota\";r=1;t=2592000");
        }
    }

    @Test
    void find_values_of_the_body_that_tag_has_left() {
        Pipeline pipeline = pipeline(
                "{'type': 'tag', 'set': {'var.tenant': '{request.body:/tenant/id}'}}",
                "{'type': 'headers', 'request': {'set': {'X-Tenant': '{var.tenant}'}}}");
        Exchange exchange = posted("{\"tenant\": {\"id\": 7}}");

        run(pipeline, exchange);

        assertThat(exchange.headers().first("X-Tenant")).contains("7");
        assertThat(run(pipeline, posted("{\"tenant\": 1, \"tenant\": 2}")).status())
                .isEqualTo(400);
    }

    private static Exchange posted(String json) {
        return Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .body(json)
                .make();
    }

    @Test
    void see_the_answer_as_those_further_in_have_left_it() {
        Pipeline pipeline = pipeline(
                "{'type': 'headers', 'response': {'set': {'X-Out': '{response.status} {response.header.x-in}'}}}",
                "{'type': 'headers', 'response': {'set': {'X-In': 'a'}}}");

        Response answer = run(pipeline, call());

        assertThat(answer.headers().first("X-Out")).contains("200 a");
    }

    @Test
    void spend_no_quota_on_what_the_rate_limit_refuses() {
        addKey(Optional.empty());
        var pipeline = pipeline(KEY, "{'type': 'rate-limit', 'requests': 1, 'per': '1s'}", QUOTA);

        assertThat(run(pipeline, call()).status()).isEqualTo(200);
        Response limited = run(pipeline, call());
        services.clock().advance(Duration.ofSeconds(1));
        assertThat(run(pipeline, call()).status()).isEqualTo(200);
        services.clock().advance(Duration.ofSeconds(1));
        Response spent = run(pipeline, call());

        assertThat(Reading.problem(limited)).isEqualTo("rate-limited");
        assertThat(limited.headers().all("RateLimit")).containsExactly("\"rate-limit\";r=0;t=1");
        assertThat(Reading.problem(spent)).isEqualTo("quota-exceeded");
        assertThat(spent.headers().first("X-RateLimit-Remaining")).contains("0");
    }

    @Test
    void spend_the_own_limit_of_a_key_once_where_two_policies_give_way_to_it() {
        addKey(Optional.of(new Allowance(10, Duration.ofMinutes(1))));

        run(pipeline(KEY, RATE, "{'type': 'rate-limit', 'requests': 100, 'per': '1m'}"), call());

        var own = new Charge(
                "rate:key:key_1", "key_1", new Rule.TokenBucket(10, 60_000_000_000L, 10), Counting.EXACT, false);
        assertThat(services.limits().peek(List.of(own)))
                .extracting(Permit::remaining)
                .containsExactly(9L);
    }

    @Test
    void hold_the_own_limits_of_a_key_where_the_definition_names_none() {
        addKey(Optional.of(new Allowance(2, Duration.ofMinutes(1))), Optional.of(new Allowance(3, Duration.ofDays(1))));
        var pipeline = pipeline(KEY);

        List<Integer> firstMinute =
                Stream.generate(() -> run(pipeline, call()).status()).limit(3).toList();
        services.clock().advance(Duration.ofMinutes(1));
        Response third = run(pipeline, call());
        Response fourth = run(pipeline, call());

        assertThat(firstMinute).containsExactly(200, 200, 429);
        assertThat(third.status()).isEqualTo(200);
        assertThat(third.headers().all("RateLimit-Policy"))
                .containsExactlyInAnyOrder("\"key:rate-limit\";q=2;w=60", "\"key:quota\";q=3;w=86400");
        assertThat(Reading.problem(fourth)).isEqualTo("quota-exceeded");
    }

    @Test
    void serve_ignored_paths_without_key_and_uncounted() {
        var pipeline = pipeline(RULES, KEY, "{'type': 'rate-limit', 'requests': 1, 'per': '1m'}");

        for (int i = 0; i < 3; i++) {
            Response response = run(pipeline, Exchanges.get("/health").make());
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.headers()).hasToString("[]");
        }
        assertThat(run(pipeline, Exchanges.get("/items").make()).status()).isEqualTo(401);
    }

    @Test
    void answer_preflights_without_key_and_let_pages_read_refusals() {
        var pipeline = pipeline(KEY, CORS);
        var preflight = Exchanges.of("OPTIONS", "/items")
                .with("Origin", "https://app.example.com")
                .with("Access-Control-Request-Method", "GET")
                .make();

        assertThat(run(pipeline, preflight).status()).isEqualTo(204);
        Response refused = run(
                pipeline,
                Exchanges.get("/items")
                        .with("Origin", "https://app.example.com")
                        .make());

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.headers().first("Access-Control-Allow-Origin")).contains("https://app.example.com");
    }

    @Test
    void change_the_headers_of_a_mock_but_not_before_the_caller_is_known() {
        addKey(Optional.empty());
        var pipeline = pipeline(
                "{'type': 'mock-response', 'json': {'id': 7}}",
                "{'type': 'headers', 'response': {'set': {'X-Caller': '{key.id}'}}}",
                KEY);

        assertThat(run(pipeline, Exchanges.get("/").make()).status()).isEqualTo(401);
        assertThat(run(pipeline, call()).headers().first("X-Caller")).contains("key_1");
    }

    @Test
    void answer_503_and_never_401_while_the_stores_are_away() {
        addKey(Optional.empty());
        var pipeline = pipeline(KEY, RATE);
        services.limits().goAway();
        Response uncounted = run(pipeline, call());
        services.keys().goAway();
        Response unknown = run(pipeline, call());

        assertThat(List.of(uncounted, unknown)).extracting(Response::status).containsOnly(503);
        assertThat(uncounted.headers().contains("Retry-After")).isTrue();
        assertThat(unknown.headers().contains("Retry-After")).isTrue();
    }

    private static Exchange call() {
        return Exchanges.get("/items").with("X-API-Key", "s3cret").make();
    }

    private static Response run(Pipeline pipeline, Exchange exchange) {
        return pipeline.run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
    }

    private Pipeline pipeline(String... policies) {
        String text = "{'id': 'orders', 'match': {'path': '/'}, 'upstream': {'targets': [{'url': 'http://10.0.0.1'}]},"
                + "'policies': [" + String.join(",", policies) + "]}";
        var api = new DefinitionReader(PolicyRegistry.load()).read(text.replace('\'', '"'));
        return Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> Response.of(200), services);
    }

    private void addKey(Optional<Allowance> rate) {
        addKey(rate, Optional.empty());
    }

    private void addKey(Optional<Allowance> rate, Optional<Allowance> quota) {
        var grants = Map.of("orders", ApiGrant.WHOLE);
        services.keys()
                .add(
                        "s3cret",
                        new ApiKey("key_1", "a", true, Optional.empty(), grants, rate, quota, List.of(), Map.of()));
    }
}
