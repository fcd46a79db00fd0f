package gateway.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.TestPolicies;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.FailureReason;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.http.UpstreamWaiter;
import gateway.policy.AnswerCondition;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.Followup;
import gateway.policy.LimitPolicy;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyLayer;
import gateway.policy.PolicyMode;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.RunsOn;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.Permit;
import gateway.service.Rule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Policies that only report what they would refuse.
final class ReportModeTest {
    private final FakeServices services = new FakeServices();

    @Test
    void what_a_policy_would_refuse_passes_and_is_told() {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        var pipeline = pipeline(
                policy("filter", PolicyMode.REPORT, exchange -> Verdict.stop(refusal(exchange, "forbidden"))),
                policy("odd", PolicyMode.REPORT, _ -> Verdict.stop(Response.of(418))));

        assertThat(pipeline.run(Exchanges.get("/").make(), run).status()).isEqualTo(200);

        assertThat(run.reported()).containsExactly("filter:forbidden", "odd:418");
        assertThat(run.stoppedBy()).isNull();
    }

    @Test
    void what_another_policy_refuses_stays_refused() {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        var pipeline = pipeline(
                policy("first", PolicyMode.REPORT, exchange -> Verdict.stop(refusal(exchange, "forbidden"))),
                policy("second", PolicyMode.ENFORCE, _ -> Verdict.stop(Response.of(403))));

        assertThat(pipeline.run(Exchanges.get("/").make(), run).status()).isEqualTo(403);

        assertThat(run.reported()).containsExactly("first:forbidden");
        assertThat(run.stoppedBy()).isEqualTo("second");
    }

    @Test
    void an_outage_is_reported_too() {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        var pipeline = pipeline(policy("away", PolicyMode.REPORT, _ -> {
            throw new DependencyException("idp", "away");
        }));

        assertThat(pipeline.run(Exchanges.get("/").make(), run).status()).isEqualTo(200);

        assertThat(run.reported()).containsExactly("away:dependency-unavailable");
    }

    @Test
    void an_answer_that_would_be_refused_on_the_way_back_goes_on() {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        Policy refusing = exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return refusal(exchange, "response-refused");
            }
        });

        assertThat(pipeline(policy("schema", PolicyMode.REPORT, refusing))
                        .run(Exchanges.get("/").make(), run)
                        .status())
                .isEqualTo(200);

        assertThat(run.reported()).containsExactly("schema:response-refused");
        assertThat(verdicts()).containsExactly("schema report 1");
    }

    @Test
    void an_answer_that_would_not_be_refused_has_its_policy_counted_as_one_that_let_pass() {
        Policy looking = exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return response.with("X-Looked", "yes");
            }
        });

        assertThat(status(pipeline(policy("schema", PolicyMode.REPORT, looking))))
                .isEqualTo("200 []");

        assertThat(verdicts()).containsExactly("schema proceed 1");
    }

    @Test
    void an_answer_that_is_refused_has_its_policy_counted_as_one_that_let_pass_and_stopped() {
        Policy refusing = exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return refusal(exchange, "response-refused");
            }
        });
        Policy looking = exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return response.with("X-Looked", "yes");
            }
        });

        assertThat(status(pipeline(
                        policy("outer", PolicyMode.ENFORCE, looking), policy("schema", PolicyMode.ENFORCE, refusing))))
                .isEqualTo("403 []");

        assertThat(verdicts()).containsExactly("outer proceed 1", "schema proceed 1", "schema stop 1");
    }

    @Test
    void a_refusal_that_passes_a_policy_which_reports_is_not_its_own() {
        Policy looking = exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                return response.with("X-Looked", "yes");
            }
        });
        Policy refusing = exchange -> Verdict.stop(refusal(exchange, "forbidden"));

        assertThat(status(pipeline(
                        policy("outer", PolicyMode.REPORT, looking), policy("inner", PolicyMode.ENFORCE, refusing))))
                .isEqualTo("403 []");

        assertThat(verdicts()).containsExactly("inner stop 1", "outer proceed 1");
    }

    @Test
    void what_a_followup_reports_of_a_request_or_an_answer_is_no_proceed_besides() {
        for (boolean ofAnswer : new boolean[] {true, false}) {
            Policy looking = exchange -> Verdict.proceed(new Followup() {
                private boolean answered;

                @Override
                public boolean mayReportAnswer() {
                    return true;
                }

                @Override
                public Response onResponse(Response response) {
                    answered = true;
                    return response;
                }

                @Override
                public Optional<Response> reported() {
                    return answered == ofAnswer ? Optional.of(refusal(exchange, "invalid")) : Optional.empty();
                }
            });

            status(pipeline(definition(
                    "look-" + ofAnswer, Stage.GUARD, PolicyMode.ENFORCE, TestPolicies.spec(looking, RunsOn.WORKER))));
        }

        assertThat(verdicts()).containsExactly("look-false report 1", "look-true report 1");
    }

    @Test
    void a_request_that_cannot_be_seen_passes_as_it_came() {
        Policy reading = exchange -> {
            exchange.held().orElseThrow().json();
            return Verdict.proceed();
        };
        for (Unseen each : UNSEEN) {
            var run = new PipelineRun(UpstreamWaiter.NOBODY);
            Exchange exchange = Exchanges.of("POST", "/")
                    .with("Content-Encoding", each.coding())
                    .chunked(each.content())
                    .make();
            var step = seeing(PolicyMode.REPORT, BodyUse.ofRequests(BodyAccess.plain(MOST)), reading);

            assertThat(pipeline(step).run(exchange, run).status()).isEqualTo(200);

            assertThat(run.reported()).containsExactly("seeing:" + each.ofRequest());
            assertThat(run.stoppedBy()).isNull();
            assertThat(new String(exchange.outgoing().body().bytes(1_000), StandardCharsets.UTF_8))
                    .isEqualTo(each.content());
        }
        assertThat(verdicts()).containsExactly("seeing report " + UNSEEN.size());
    }

    @Test
    void an_answer_that_cannot_be_seen_passes_as_it_came() {
        Policy reading = _ -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                response.held().orElseThrow().json();
                return response;
            }
        });
        for (Unseen each : UNSEEN) {
            var run = new PipelineRun(UpstreamWaiter.NOBODY);
            byte[] content = each.content().getBytes(StandardCharsets.UTF_8);
            Response answer = Response.of(200, "application/json", content).with("Content-Encoding", each.coding());
            var step = seeing(PolicyMode.REPORT, BodyUse.ofResponses(BodyAccess.plain(MOST)), reading);

            Response came = Pipeline.compile("orders", List.of(step), (_, _) -> answer, services)
                    .run(Exchanges.get("/").make(), run);

            assertThat(came.status()).isEqualTo(200);
            assertThat(came.body().bytes(1_000)).isEqualTo(content);
            assertThat(came.headers().first("Content-Encoding")).contains(each.coding());
            assertThat(run.reported()).containsExactly("seeing:" + each.ofAnswer());
        }
        assertThat(verdicts()).containsExactly("seeing report " + UNSEEN.size());
    }

    @Test
    void a_condition_that_cannot_see_the_body_refuses_nothing_either() {
        Exchange exchange = Exchanges.of("POST", "/")
                .with("Content-Type", "application/json")
                .body("{")
                .make();
        var condition = new Condition() {
            @Override
            public boolean holds(Exchange asked) {
                return asked.held().orElseThrow().json().isObject();
            }

            @Override
            public boolean readsBody() {
                return true;
            }

            @Override
            public boolean needsBody(Exchange asked) {
                return true;
            }
        };
        for (PolicyDefinition each : List.of(
                policy("watched", PolicyMode.REPORT, _ -> Verdict.stop(Response.of(403))),
                limit("watched", 1, PolicyMode.REPORT))) {
            var run = new PipelineRun(UpstreamWaiter.NOBODY);

            assertThat(pipeline(definition("watched", each.stage(), each.mode(), each.spec(), condition))
                            .run(exchange, run)
                            .status())
                    .isEqualTo(200);

            assertThat(run.reported()).containsExactly("watched:malformed-body");
        }
    }

    @Test
    void what_there_is_no_memory_for_is_refused_all_the_same() {
        var poor = new UpstreamWaiter() {
            @Override
            public String upstream() {
                return "";
            }

            @Override
            public void hold(long bytes) {
                throw new UpstreamException(FailureReason.NO_ROOM, "full");
            }
        };
        Policy reading = exchange -> {
            exchange.held().orElseThrow().json();
            return Verdict.proceed();
        };
        var step = seeing(PolicyMode.REPORT, BodyUse.ofRequests(BodyAccess.plain(MOST)), reading);

        Response refused =
                pipeline(step).run(Exchanges.of("POST", "/").body("{}").make(), new PipelineRun(poor));

        assertThat(refused.status()).isEqualTo(503);
    }

    @Test
    void a_policy_that_reports_of_requests_alone_looks_at_the_answer_to_one_that_it_has_not_seen() {
        Policy refusingAnswers = exchange -> Verdict.proceed(new Followup() {
            @Override
            public Optional<Response> reported() {
                return Optional.of(refusal(exchange, "not-held"));
            }

            @Override
            public Response onResponse(Response response) {
                return refusal(exchange, "response-refused");
            }
        });
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        var spec = new OfRequests(BodyUse.ofRequests(BodyAccess.plain(MOST)), refusingAnswers);

        Response answer = pipeline(definition("seeing", Stage.VALIDATE, PolicyMode.ENFORCE, spec))
                .run(Exchanges.of("POST", "/").chunked("x".repeat(MOST + 1)).make(), run);

        assertThat(answer.reason()).isEqualTo("response-refused");
        assertThat(run.reported()).startsWith("seeing:body-too-large");
    }

    private static final int MOST = 200;

    /// @param ofRequest why it would be refused
    private record Unseen(String coding, String content, String ofRequest, String ofAnswer) {}

    private static final List<Unseen> UNSEEN = List.of(
            new Unseen("identity", "x".repeat(MOST + 1), "body-too-large", "response-too-large"),
            new Unseen("compress", "{}", "unsupported-coding", "response-coding"),
            new Unseen("gzip", "{}", "malformed-body", "response-malformed"),
            new Unseen("identity", "{\"a\"", "malformed-body", "response-malformed"),
            new Unseen("identity", "[".repeat(65) + "]".repeat(65), "content-too-complex", "response-too-complex"));

    private record Seeing(BodyUse bodyUse, Policy policy) implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services given) {
            return policy;
        }
    }

    private record OfRequests(BodyUse bodyUse, Policy policy) implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services given) {
            return policy;
        }

        @Override
        public boolean reportsRequests() {
            return true;
        }

        @Override
        public boolean callsOut(Services given) {
            return true;
        }
    }

    private static PolicyDefinition seeing(PolicyMode mode, BodyUse use, Policy policy) {
        return definition("seeing", Stage.VALIDATE, mode, new Seeing(use, policy));
    }

    private List<String> verdicts() {
        return services.meters().find("test.verdicts").counters().stream()
                .filter(each -> !"time".equals(each.getId().getTag("verdict")))
                .map(each -> each.getId().getTag("policy")
                        + ' '
                        + each.getId().getTag("verdict")
                        + ' '
                        + (long) each.count())
                .sorted()
                .toList();
    }

    @Test
    void a_limit_counts_apart_and_tells_when_it_would_have_been_spent() {
        var pipeline = pipeline(limit("watched", 1, PolicyMode.REPORT), limit("held", 2, PolicyMode.ENFORCE));

        assertThat(status(pipeline)).isEqualTo("200 []");
        assertThat(status(pipeline)).isEqualTo("200 [watched:429]");
        assertThat(status(pipeline)).isEqualTo("429 []");
    }

    @Test
    void a_limit_that_reports_lets_pass_while_the_store_is_away() {
        services.limits().goAway();

        assertThat(status(pipeline(limit("watched", 1, PolicyMode.REPORT))))
                .isEqualTo("200 [watched:dependency-unavailable]");
    }

    private String status(Pipeline pipeline) {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        return pipeline.run(Exchanges.get("/").make(), run).status() + " " + run.reported();
    }

    private Pipeline pipeline(PolicyDefinition... definitions) {
        return Pipeline.compile("orders", List.of(definitions), (_, _) -> Response.of(200), services);
    }

    private static PolicyDefinition policy(String step, PolicyMode mode, Policy policy) {
        return definition(step, Stage.GUARD, mode, TestPolicies.spec(policy));
    }

    private static PolicyDefinition limit(String step, long requests, PolicyMode mode) {
        return definition(step, Stage.LIMIT, mode, TestPolicies.spec(new OneCounter(requests), RunsOn.REQUEST_THREAD));
    }

    private static PolicyDefinition definition(String step, Stage stage, PolicyMode mode, PolicySpec spec) {
        return definition(step, stage, mode, spec, Condition.ALWAYS);
    }

    private static PolicyDefinition definition(
            String step, Stage stage, PolicyMode mode, PolicySpec spec, Condition when) {
        return new PolicyDefinition(
                step, step, stage, spec, when, AnswerCondition.ALWAYS, OnOutage.DENY, mode, false, PolicyLayer.API, "");
    }

    private static Response refusal(Exchange exchange, String type) {
        return Problem.of(type, 403, "Refused", "no").toResponse(exchange.requestId());
    }

    /// Two such limits charge the same counter, as limits do that give way to a caller's own.
    private record OneCounter(long requests) implements LimitPolicy {
        @Override
        public Optional<Charge> charge(Exchange exchange) {
            var rule = new Rule.RollingPeriod(requests, 3_600_000_000_000L);
            return Optional.of(new Charge("rate:key:k", "k", rule, Counting.EXACT, false));
        }

        @Override
        public Verdict settle(Exchange exchange, Permit permit) {
            return switch (permit) {
                case Permit.Granted _ -> Verdict.proceed();
                case Permit.Denied _ -> Verdict.stop(Response.of(429));
            };
        }
    }
}
