package gateway.pipeline;

import static gateway.config.TestPolicies.spec;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Outcome;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.AnswerCondition;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.Dependency;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PipelineExplanationTest {
    private final FakeServices services = new FakeServices();
    private final List<String> events = new ArrayList<>();

    @Test
    void a_limit_says_what_it_would_and_spends_nothing() {
        var pipeline = pipeline(policy("limit", Stage.LIMIT, spec(new Hourly(1), RunsOn.REQUEST_THREAD)));

        assertThat(explained(pipeline)).containsExactly("limit PROCEED 1 left");
        assertThat(explained(pipeline)).containsExactly("limit PROCEED 1 left");
        assertThat(run(pipeline)).isEqualTo(200);
        assertThat(explained(pipeline)).containsExactly("limit STOP 0 left: 429");
        assertThat(events).containsExactly("upstream");
    }

    @Test
    void each_limit_of_a_step_says_its_own() {
        var pipeline = pipeline(
                policy("one", Stage.LIMIT, spec(new Hourly(1), RunsOn.REQUEST_THREAD)),
                policy("two", Stage.LIMIT, spec(new Hourly(2), RunsOn.REQUEST_THREAD)));
        run(pipeline);

        PipelineExplanation explanation = pipeline.explain(Exchanges.get("/").make());

        assertThat(told(explanation)).containsExactly("one STOP 0 left: 429", "two PROCEED 1 left");
        assertThat(explanation.answer().map(Response::status)).contains(429);
    }

    @Test
    void of_two_limits_on_one_counter_the_first_says_what_it_would() {
        PolicySpec spec = spec(new Hourly(1), RunsOn.REQUEST_THREAD);

        assertThat(explained(pipeline(policy("one", Stage.LIMIT, spec), policy("two", Stage.LIMIT, spec))))
                .containsExactly("one PROCEED 1 left", "two PROCEED (a limit before it counts in its place)");
    }

    @Test
    void what_comes_after_a_refusal_is_not_reached() {
        var pipeline = pipeline(
                policy("first", Stage.GUARD, spec(exchange -> Verdict.stop(refusal(exchange)))),
                policy("second", Stage.VALIDATE, spec(noted("second"))),
                policy("limit", Stage.LIMIT, spec(new Hourly(1), RunsOn.REQUEST_THREAD)));

        assertThat(explained(pipeline)).containsExactly("first STOP: 403", "limit NOT_REACHED", "second NOT_REACHED");
        assertThat(events).isEmpty();
    }

    @Test
    void what_only_reports_lets_the_request_go_on() {
        var stopping = definition(
                "watched",
                Stage.GUARD,
                spec(exchange -> Verdict.stop(refusal(exchange))),
                Condition.ALWAYS,
                OnOutage.DENY,
                PolicyMode.REPORT);

        var explanation = pipeline(stopping, policy("next", Stage.GUARD, spec(noted("next"))))
                .explain(Exchanges.get("/").make());

        assertThat(told(explanation)).containsExactly("watched STOP: 403", "next PROCEED");
        assertThat(explanation.answer()).isEmpty();
    }

    @Test
    void a_condition_that_does_not_hold_is_told() {
        var never = definition(
                "posts",
                Stage.GUARD,
                spec(noted("posts")),
                exchange -> exchange.method().equals("POST"),
                OnOutage.DENY,
                PolicyMode.ENFORCE);

        assertThat(explained(pipeline(never))).containsExactly("posts SKIPPED (its condition does not hold)");
        assertThat(events).isEmpty();
    }

    @Test
    void what_calls_a_server_is_not_run() {
        var pipeline = pipeline(policy("oidc", Stage.AUTHENTICATE, new Calling(noted("called"))));

        assertThat(explained(pipeline)).containsExactly("oidc NOT_RUN (it calls https://idp.example)");
        assertThat(events).isEmpty();
    }

    @Test
    void an_outage_goes_by_what_the_policy_says() {
        services.limits().goAway();
        PolicySpec limit = spec(new Hourly(1), RunsOn.REQUEST_THREAD);

        for (OnOutage each : OnOutage.values()) {
            var definition = definition("limit", Stage.LIMIT, limit, Condition.ALWAYS, each, PolicyMode.ENFORCE);

            assertThat(explained(pipeline(definition)))
                    .containsExactly(
                            switch (each) {
                                case ALLOW -> "limit PROCEED (fake: away, and onOutage is allow)";
                                case DENY -> "limit STOP (fake: away, and onOutage is deny): 503";
                                case LOCAL -> "limit PROCEED (fake: away, and onOutage is local) 1 left";
                            });
        }
    }

    @Test
    void a_node_too_slow_to_read_an_answer_goes_by_its_own_counters_whatever_the_policy_says() {
        services.limits().starve();
        PolicySpec limit = spec(new Hourly(1), RunsOn.REQUEST_THREAD);

        for (OnOutage each : OnOutage.values()) {
            var definition = definition("limit", Stage.LIMIT, limit, Condition.ALWAYS, each, PolicyMode.ENFORCE);

            assertThat(explained(pipeline(definition)))
                    .containsExactly(
                            "limit PROCEED (fake: this node was too slow to read an answer, and onOutage is local) 1 left");
        }
    }

    @Test
    void a_policy_that_loses_what_it_depends_on_goes_by_its_onOutage_too() {
        Policy losing = _ -> {
            throw new DependencyException("keys", "away");
        };
        var allowing = definition(
                "auth", Stage.AUTHENTICATE, spec(losing), Condition.ALWAYS, OnOutage.ALLOW, PolicyMode.ENFORCE);

        assertThat(explained(pipeline(allowing))).containsExactly("auth PROCEED (keys: away, and onOutage is allow)");
        assertThat(explained(pipeline(policy("auth", Stage.AUTHENTICATE, spec(losing)))))
                .containsExactly("auth STOP (keys: away, and onOutage is deny): 503");
    }

    @Test
    void what_a_policy_has_taken_is_given_back_and_no_answer_is_shown() {
        Policy taking = _ -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                events.add("answer");
                return response;
            }

            @Override
            public void onEnd(Outcome outcome) {
                events.add("end " + outcome.ending().word());
            }
        });

        pipeline(policy("taking", Stage.GUARD, spec(taking, RunsOn.WORKER)))
                .explain(Exchanges.get("/").make());

        assertThat(events).containsExactly("end client-gone");
    }

    @Test
    void a_body_that_is_too_large_is_refused_behind_all_policies() {
        Policy limiting = exchange -> {
            exchange.limitBody(3);
            return Verdict.proceed();
        };

        var explanation = pipeline(policy("size", Stage.GUARD, spec(limiting)))
                .explain(Exchanges.of("POST", "/").body("four").make());

        assertThat(told(explanation)).containsExactly("size PROCEED");
        assertThat(explanation.answer().map(Response::reason)).contains("body-too-large");
    }

    @Test
    void a_policy_that_breaks_is_named_and_ends_the_request_with_500() {
        Policy broken = _ -> {
            throw new NoClassDefFoundError("lost/Library");
        };
        var pipeline =
                pipeline(policy("broken", Stage.GUARD, spec(broken)), policy("next", Stage.GUARD, spec(noted("next"))));

        var explanation = pipeline.explain(Exchanges.get("/").make());

        assertThat(told(explanation))
                .containsExactly("broken FAIL (java.lang.NoClassDefFoundError: lost/Library): 500", "next NOT_REACHED");
        assertThat(explanation.answer().map(Response::reason)).contains("internal-error");
    }

    @Test
    void a_limit_that_breaks_is_told_apart_from_its_neighbours() {
        LimitPolicy broken = new LimitPolicy() {
            @Override
            public Optional<Charge> charge(Exchange exchange) {
                throw new IllegalStateException("no");
            }

            @Override
            public Verdict settle(Exchange exchange, Permit permit) {
                return Verdict.proceed();
            }
        };

        assertThat(explained(pipeline(
                        policy("one", Stage.LIMIT, spec(new Hourly(1), RunsOn.REQUEST_THREAD)),
                        policy("two", Stage.LIMIT, spec(broken, RunsOn.REQUEST_THREAD)),
                        policy("three", Stage.LIMIT, spec(new Hourly(3), RunsOn.REQUEST_THREAD)))))
                .containsExactly(
                        "one PROCEED 1 left",
                        "two FAIL (java.lang.IllegalStateException: no): 500",
                        "three NOT_REACHED");
    }

    @Test
    void what_breaks_at_the_end_leaves_the_explanation_as_it_is() {
        Policy breaking = _ -> Verdict.proceed(new Followup() {
            @Override
            public void onEnd(Outcome outcome) {
                throw new NoClassDefFoundError("lost/Library");
            }
        });

        assertThat(explained(pipeline(policy("breaking", Stage.GUARD, spec(breaking)))))
                .containsExactly("breaking PROCEED");
    }

    private List<String> explained(Pipeline pipeline) {
        return told(pipeline.explain(Exchanges.get("/").make()));
    }

    private static List<String> told(PipelineExplanation explanation) {
        return explanation.steps().stream()
                .map(step -> step.policy().step()
                        + ' '
                        + step.said()
                        + (step.why().isEmpty() ? "" : " (" + step.why() + ')')
                        + step.permit()
                                .map(permit -> " " + permit.remaining() + " left")
                                .orElse("")
                        + step.response()
                                .map(response -> ": " + response.status())
                                .orElse(""))
                .toList();
    }

    private static int run(Pipeline pipeline) {
        return pipeline.run(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY))
                .status();
    }

    private Pipeline pipeline(PolicyDefinition... definitions) {
        return Pipeline.compile(
                "orders",
                List.of(definitions),
                (_, _) -> {
                    events.add("upstream");
                    return Response.of(200);
                },
                services);
    }

    private Policy noted(String event) {
        return _ -> {
            events.add(event);
            return Verdict.proceed();
        };
    }

    private static PolicyDefinition policy(String step, Stage stage, PolicySpec spec) {
        return new PolicyDefinition(step, stage, spec, Condition.ALWAYS);
    }

    private static PolicyDefinition definition(
            String step, Stage stage, PolicySpec spec, Condition when, OnOutage onOutage, PolicyMode mode) {
        return new PolicyDefinition(
                step, step, stage, spec, when, AnswerCondition.ALWAYS, onOutage, mode, false, PolicyLayer.API, "");
    }

    private static Response refusal(Exchange exchange) {
        return Problem.of("forbidden", 403, "Refused", "no").toResponse(exchange.requestId());
    }

    private record Calling(Policy policy) implements PolicySpec {
        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services services) {
            return policy;
        }

        @Override
        public Set<Dependency> dependencies() {
            return Set.of(new Dependency.Server("https://idp.example"));
        }
    }

    private record Hourly(long requests) implements LimitPolicy {
        @Override
        public Optional<Charge> charge(Exchange exchange) {
            var rule = new Rule.RollingPeriod(requests, 3_600_000_000_000L);
            return Optional.of(new Charge("hourly:" + requests, "", rule, Counting.EXACT, false));
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
