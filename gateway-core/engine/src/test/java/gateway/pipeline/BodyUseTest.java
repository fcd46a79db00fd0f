package gateway.pipeline;

import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.FailureReason;
import gateway.http.HeldBody;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.http.UpstreamWaiter;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What the pipeline makes ready of bodies before it calls a policy.
final class BodyUseTest {
    private static final BodyUse PLAIN = BodyUse.ofRequests(BodyAccess.plain(1_000_000));

    private final FakeServices services = new FakeServices();
    private final List<String> seen = new ArrayList<>();

    private record Seeing(BodyUse bodyUse, Policy policy) implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return policy;
        }
    }

    private static PolicyDefinition step(Stage stage, BodyUse use, Policy policy) {
        return new PolicyDefinition("step", stage, new Seeing(use, policy), Condition.ALWAYS);
    }

    private Verdict see(Exchange exchange) {
        seen.add(exchange.held().map(body -> new String(body.plain(), UTF_8)).orElse("nothing"));
        return Verdict.proceed();
    }

    private Response run(Exchange exchange, Response answer, PolicyDefinition... steps) {
        return Pipeline.compile("orders", List.of(steps), (sent, waiter) -> answer, services)
                .run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
    }

    private Response run(Exchange exchange, PolicyDefinition... steps) {
        return run(exchange, Response.of(200), steps);
    }

    private static Exchange packed(String coding, byte[] content) {
        Exchange exchange =
                Exchanges.of("POST", "/").with("Content-Encoding", coding).make();
        exchange.outgoing().hold(Body.of(content));
        return exchange;
    }

    private static Policy answering(UnaryOperator<Response> change) {
        return exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return change.apply(response);
            }
        });
    }

    @Test
    void a_policy_that_asks_for_the_body_finds_all_of_it_and_others_nothing() {
        Exchange exchange = Exchanges.of("POST", "/").chunked("hello").make();
        Policy none = asked -> {
            seen.add("held: " + asked.held().isPresent());
            return Verdict.proceed();
        };

        run(exchange, step(Stage.GUARD, BodyUse.NONE, none), step(Stage.VALIDATE, PLAIN, this::see));

        assertThat(seen).containsExactly("held: false", "hello");
    }

    @Test
    void streams_without_an_end_are_never_held() {
        for (String type : List.of(
                "text/event-stream;charset=utf-8",
                "application/grpc+proto",
                "multipart/x-mixed-replace; boundary=a",
                "Application/GRPC")) {
            run(
                    Exchanges.of("POST", "/")
                            .with("Content-Type", type)
                            .chunked("x")
                            .make(),
                    step(Stage.VALIDATE, PLAIN, this::see));
        }
        run(Exchanges.get("/").openingWebSocket().chunked("frames").make(), step(Stage.VALIDATE, PLAIN, this::see));
        run(
                Exchanges.of("POST", "/")
                        .with("Upgrade", "x")
                        .chunked("content")
                        .make(),
                step(Stage.VALIDATE, PLAIN, this::see));

        assertThat(seen).containsExactly("nothing", "nothing", "nothing", "nothing", "nothing", "content");
    }

    @Test
    void a_policy_may_ask_for_some_messages_only() {
        var json = BodyUse.ofRequests(BodyAccess.plain(100)
                .only((fields, length) ->
                        fields.first("Content-Type").equals(java.util.Optional.of("application/json"))));

        run(Exchanges.of("POST", "/").chunked("text").make(), step(Stage.VALIDATE, json, this::see));
        run(
                Exchanges.of("POST", "/")
                        .with("Content-Type", "application/json")
                        .chunked("{}")
                        .make(),
                step(Stage.VALIDATE, json, this::see));

        assertThat(seen).containsExactly("nothing", "{}");
    }

    @Test
    void a_request_that_is_larger_than_the_policy_takes_is_413_before_it_is_called() {
        var small = BodyUse.ofRequests(BodyAccess.held(4));

        Response refused =
                run(Exchanges.of("POST", "/").chunked("hello").make(), step(Stage.VALIDATE, small, this::see));

        assertThat(refused.status()).isEqualTo(413);
        assertThat(seen).isEmpty();
    }

    @Test
    void before_the_api_authenticates_at_most_64_KiB_are_held() {
        String large = "x".repeat(64 * 1024 + 1);
        var authenticating = step(Stage.AUTHENTICATE, BodyUse.NONE, exchange -> Verdict.proceed());
        var early = step(Stage.GUARD, PLAIN, this::see);
        var late = step(Stage.VALIDATE, PLAIN, this::see);

        assertThat(run(Exchanges.of("POST", "/").chunked(large).make(), early, authenticating)
                        .status())
                .isEqualTo(413);
        assertThat(run(Exchanges.of("POST", "/").chunked(large).make(), late, authenticating)
                        .status())
                .isEqualTo(200);
        assertThat(run(Exchanges.of("POST", "/").chunked(large).make(), early).status())
                .as("an API that asks nobody who they are")
                .isEqualTo(200);
    }

    @Test
    void packed_bytes_are_seen_plain_and_go_out_as_they_came() {
        byte[] content = gzip("hello");
        Exchange exchange = packed("gzip", content);

        run(exchange, step(Stage.VALIDATE, PLAIN, this::see), step(Stage.VALIDATE, PLAIN, this::see));

        assertThat(seen).containsExactly("hello", "hello");
        assertThat(exchange.held()).map(HeldBody::content).contains(content);
        assertThat(exchange.headers().first("Content-Encoding")).contains("gzip");
    }

    @Test
    void what_a_policy_puts_in_the_place_of_packed_bytes_is_plain() {
        Exchange exchange = packed("gzip", gzip("hello"));
        Policy replacing = asked -> {
            asked.outgoing().replaceBody(Body.of("other".getBytes(UTF_8)));
            return Verdict.proceed();
        };

        run(exchange, step(Stage.VALIDATE, PLAIN, replacing), step(Stage.VALIDATE, PLAIN, this::see));

        assertThat(seen).containsExactly("other");
        assertThat(exchange.headers().contains("Content-Encoding")).isFalse();
    }

    @Test
    void a_request_that_cannot_be_made_plain_is_refused_with_the_reason() {
        Response unknown = run(packed("br", gzip("hello")), step(Stage.VALIDATE, PLAIN, this::see));
        Response broken = run(packed("gzip", "hello".getBytes(UTF_8)), step(Stage.VALIDATE, PLAIN, this::see));

        assertThat(unknown.status()).isEqualTo(415);
        assertThat(unknown.headers().first("Accept-Encoding")).contains("gzip, deflate");
        assertThat(broken.status()).isEqualTo(400);
        assertThat(text(broken))
                .contains("urn:gateway:problem:malformed-body", "The body is no gzip: it does not begin as gzip");
        assertThat(seen).isEmpty();
    }

    private static String text(Response response) {
        return new String(response.body().bytes(10_000), UTF_8);
    }

    @Test
    void json_is_read_once_for_all_that_ask() {
        var trees = new ArrayList<JsonNode>();
        Policy reading = exchange -> {
            trees.add(exchange.held().orElseThrow().json());
            return Verdict.proceed();
        };

        run(
                Exchanges.of("POST", "/").body("{\"a\": [1, 2]}").make(),
                step(Stage.VALIDATE, PLAIN, reading),
                step(Stage.TRANSFORM, PLAIN, reading));

        assertThat(trees.getFirst()).isSameAs(trees.getLast());
        assertThat(trees.getFirst().at("/a/1").intValue()).isEqualTo(2);
    }

    @Test
    void json_for_which_there_is_no_room_is_503_before_it_is_made() {
        var taken = new AtomicLong();
        var poor = new UpstreamWaiter() {
            @Override
            public String upstream() {
                return "";
            }

            @Override
            public void hold(long bytes) {
                if (taken.addAndGet(bytes) > 1_000_000) throw new UpstreamException(FailureReason.NO_ROOM, "full");
            }
        };
        Policy reading = exchange -> {
            exchange.held().orElseThrow().json();
            return Verdict.proceed();
        };
        var pipeline = Pipeline.compile(
                "orders", List.of(step(Stage.VALIDATE, PLAIN, reading)), (sent, waiter) -> Response.of(200), services);
        Exchange dense = Exchanges.of("POST", "/")
                .body('[' + "[],".repeat(100_000) + "[]]")
                .make();

        Response refused = pipeline.run(dense, new PipelineRun(poor));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.reason()).isEqualTo("no-room");
        assertThat(taken.get()).as("it stops at once").isLessThan(1_010_000);
    }

    @Test
    void a_body_that_a_policy_sends_to_many_stays_as_it_is() {
        HeldBody shared = Body.of("{}".getBytes(UTF_8));
        Policy replacing = exchange -> {
            exchange.outgoing().replaceBody(shared);
            return Verdict.proceed();
        };
        Exchange exchange = Exchanges.of("POST", "/").make();

        run(exchange, step(Stage.VALIDATE, BodyUse.NONE, replacing), step(Stage.VALIDATE, PLAIN, this::see));

        assertThat(seen).containsExactly("{}");
        assertThat(exchange.held()).contains(shared);
        assertThat(exchange.held().orElseThrow()).isNotSameAs(shared);
    }

    @Test
    void malformed_json_is_told_with_where_and_what() {
        Policy reading = exchange -> {
            exchange.held().orElseThrow().json();
            return Verdict.proceed();
        };
        String deep = "[".repeat(100) + "]".repeat(100);

        for (String bad : List.of("{\"a\": 1,\n \"b\" 2}", "{\"a\": 1, \"a\": 2}", "{} {}", deep, "")) {
            Response refused = run(Exchanges.of("POST", "/").body(bad).make(), step(Stage.VALIDATE, PLAIN, reading));

            assertThat(refused.status()).as(bad).isEqualTo(400);
            seen.add(text(refused));
        }
        assertThat(seen.getFirst()).contains("The body is not valid JSON at line 2, column 6");
        assertThat(seen.get(1))
                .contains("The body is not valid JSON at line 1, column 13: a name that its object has already");
        assertThat(seen.get(3))
                .contains("content-too-complex", "The body is JSON", "of more than 64 levels, ")
                .doesNotContain("StreamRead");
        assertThat(seen.getLast()).contains("The body is not valid JSON: nothing but blanks");
    }

    /// Of an answer the client is told what the upstream has said only to the gateway.
    @Test
    void what_stands_where_json_is_malformed_is_not_told() {
        Policy reading = exchange -> {
            exchange.held().orElseThrow().json();
            return Verdict.proceed();
        };

        for (String bad : List.of("{\"a\": SECRET}", "{\"SECRET\": 1, \"SECRET\": 2}", "{\"a\": \"\\SECRET\"}")) {
            Response refused = run(Exchanges.of("POST", "/").body(bad).make(), step(Stage.VALIDATE, PLAIN, reading));

            assertThat(text(refused)).contains("not valid JSON at line 1").doesNotContain("SECRET");
        }
    }

    @Test
    void a_followup_finds_all_of_the_answer_plain_and_the_upstream_packs_in_ways_that_are_known() {
        var response = BodyUse.ofResponses(BodyAccess.plain(1_000));
        Exchange exchange =
                Exchanges.get("/").with("Accept-Encoding", "br, gzip").make();
        Response packed = Response.of(200, "text/plain", gzip("hello")).with("Content-Encoding", "gzip");
        Policy seeing = answering(answer -> {
            seen.add(new String(answer.held().orElseThrow().plain(), UTF_8));
            return answer;
        });

        Response answer = run(exchange, packed, step(Stage.CACHE, response, seeing));

        assertThat(seen).containsExactly("hello");
        assertThat(exchange.headers().first("Accept-Encoding")).contains("gzip");
        assertThat(answer.headers().first("Content-Encoding")).contains("gzip");
        assertThat(answer.withBody(Body.EMPTY).headers().contains("Content-Encoding"))
                .isFalse();
    }

    @Test
    void an_answer_that_is_too_large_or_cannot_be_made_plain_is_502() {
        var response = BodyUse.ofResponses(BodyAccess.plain(4));
        var seeing = step(Stage.CACHE, response, answering(answer -> answer));

        Map<String, Response> answers = Map.of(
                "response-too-large", Response.of(200, "text/plain", "hello".getBytes(UTF_8)),
                "response-coding", Response.of(200, "text/plain", new byte[3]).with("Content-Encoding", "br"),
                "response-malformed",
                        Response.of(200, "text/plain", new byte[3]).with("Content-Encoding", "gzip"));
        answers.forEach((reason, answer) -> {
            Response refused = run(Exchanges.get("/").make(), answer, seeing);

            assertThat(refused.status()).isEqualTo(502);
            assertThat(refused.reason()).isEqualTo(reason);
            assertThat(Objects.requireNonNull(refused.problem()).type()).endsWith("response-refused");
        });
    }

    @Test
    void an_answer_without_content_by_its_kind_is_not_held() {
        var response = BodyUse.ofResponses(BodyAccess.plain(4));
        var seeing = step(Stage.CACHE, response, answering(answer -> answer));
        Response large = Response.of(200, "text/plain", "hello".getBytes(UTF_8));

        assertThat(run(Exchanges.of("HEAD", "/").make(), large, seeing).status())
                .isEqualTo(200);
        assertThat(run(Exchanges.get("/").make(), large.withStatus(304), seeing).status())
                .isEqualTo(304);
    }
}
