package gateway.pipeline;

import static gateway.config.TestPolicies.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.BodyRefusedException;
import gateway.http.BodyTooLargeException;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Outcome;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.Followup;
import gateway.policy.LimitPolicy;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicySpec;
import gateway.policy.RunsOn;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.Permit;
import gateway.service.Rule;
import gateway.service.Upstream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever a policy throws, the answer goes back through the policies around it, once through each.
final class PipelineBreakageTest {
    private static final Outcome OUTCOME = new Outcome(500, Outcome.Ending.COMPLETE, 1, 2);

    private final List<String> events = new ArrayList<>();
    private final PipelineRun pipelineRun = new PipelineRun(UpstreamWaiter.NOBODY);
    private Upstream upstream = (_, _) -> Response.of(200);

    static Stream<Throwable> breakages() {
        return Stream.of(
                new IllegalStateException("broken"),
                new StackOverflowError("broken"),
                new NoClassDefFoundError("broken"),
                new AssertionError("broken"),
                new IOException("broken")); // as code in other languages throws it, undeclared
    }

    @ParameterizedTest
    @MethodSource("breakages")
    void what_breaks_on_the_way_in_is_500_to_those_further_out(Throwable why) {
        Response answer = answer(
                policy("outer", following("outer")),
                policy("inner", following("inner")),
                policy("breaking", _ -> {
                    throw thrown(why);
                }),
                policy("never", following("never")));

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.reason()).isEqualTo("internal-error");
        assertThat(answer.headers().all("X-Seen-By")).containsExactly("inner", "outer");
        assertThat(events).containsExactly("inner 500", "outer 500", "inner end", "outer end");
        assertThat(pipelineRun.stoppedBy()).isEqualTo("breaking");
        assertThat(pipelineRun.broken()).containsExactly(new PipelineRun.Breakage("breaking", why));
    }

    @ParameterizedTest
    @MethodSource("breakages")
    void what_breaks_on_the_way_back_is_500_to_those_further_out(Throwable why) {
        Response answer = answer(
                policy("outer", following("outer")),
                policy("quiet", _ -> Verdict.proceed()),
                policy("breaking", breakingBack(why)),
                policy("inner", following("inner")));

        assertThat(answer.reason()).isEqualTo("internal-error");
        assertThat(answer.headers().all("X-Seen-By")).containsExactly("outer");
        assertThat(events).containsExactly("inner 200", "breaking", "outer 500", "inner end", "outer end");
        assertThat(pipelineRun.stoppedBy()).isEqualTo("breaking");
        assertThat(pipelineRun.broken()).containsExactly(new PipelineRun.Breakage("breaking", why));
    }

    @ParameterizedTest
    @EnumSource(RunsOn.class)
    void each_of_several_that_break_is_told(RunsOn thread) {
        Throwable first = new IllegalStateException("first");
        Throwable second = new IllegalStateException("second");

        Response answer = answer(
                policy("outer", following("outer")),
                policy("back", spec(breakingBack(second), thread)),
                policy("in", spec(breakingIn(first), thread)));

        assertThat(answer.headers().all("X-Seen-By")).containsExactly("outer");
        assertThat(pipelineRun.broken())
                .containsExactly(new PipelineRun.Breakage("in", first), new PipelineRun.Breakage("back", second));
    }

    @Test
    void the_followup_that_breaks_is_known_however_many_there_are() {
        Throwable why = new IllegalStateException("broken");
        for (int at = 0; at < 20; at++) {
            var run = new PipelineRun(UpstreamWaiter.NOBODY);
            int breaking = at;
            List<PolicyDefinition> policies = IntStream.range(0, 20)
                    .mapToObj(i -> policy("step-" + i, i == breaking ? breakingBack(why) : following("step-" + i)))
                    .toList();

            pipeline(policies).run(Exchanges.get("/").make(), run);

            assertThat(run.broken()).containsExactly(new PipelineRun.Breakage("step-" + at, why));
        }
    }

    @Test
    void of_limits_that_are_asked_together_the_one_that_breaks_is_told() {
        Throwable why = new IllegalStateException("broken");
        for (boolean settling : new boolean[] {true, false}) {
            var run = new PipelineRun(UpstreamWaiter.NOBODY);

            Response answer = pipeline(List.of(
                            policy("outer", following("outer")),
                            limit("first", new Hourly("first", null)),
                            limit("breaking", settling ? new Hourly("second", why) : new Uncounted(why))))
                    .run(Exchanges.get("/").make(), run);

            assertThat(answer.headers().all("X-Seen-By")).containsExactly("outer");
            assertThat(run.stoppedBy()).isEqualTo("breaking");
            assertThat(run.broken()).containsExactly(new PipelineRun.Breakage("breaking", why));
        }
    }

    @Test
    void a_condition_that_breaks_is_told_as_its_policy() {
        Throwable why = new IllegalStateException("broken");
        Condition breaking = _ -> {
            throw new IllegalStateException("broken");
        };

        answer(
                policy("outer", following("outer")),
                new PolicyDefinition("asking", Stage.GUARD, spec(following("asking")), breaking));

        assertThat(events).containsExactly("outer 500", "outer end");
        assertThat(pipelineRun.broken().getFirst().step()).isEqualTo("asking");
        assertThat(pipelineRun.broken().getFirst().why()).hasMessage(why.getMessage());
    }

    @Test
    void an_upstream_that_breaks_is_500_to_all_and_no_policys_fault() {
        Throwable why = new IllegalStateException("broken");
        upstream = (_, _) -> {
            throw new IllegalStateException("broken");
        };

        Response answer = answer(policy("outer", following("outer")));

        assertThat(answer.status()).isEqualTo(500);
        assertThat(events).containsExactly("outer 500", "outer end");
        assertThat(pipelineRun.stoppedBy()).isNull();
        assertThat(pipelineRun.broken().getFirst().step()).isEmpty();
        assertThat(pipelineRun.broken().getFirst().why()).hasMessage(why.getMessage());
    }

    @Test
    void a_process_in_trouble_is_no_policys_affair() {
        Pipeline pipeline = pipeline(List.of(policy("outer", following("outer")), policy("last", _ -> {
            throw thrown(new OutOfMemoryError("no more"));
        })));

        assertThatThrownBy(() -> pipeline.run(Exchanges.get("/").make(), pipelineRun))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(pipelineRun.broken()).isEmpty();
    }

    @Test
    void a_body_that_is_refused_is_told_as_the_policy_that_was_to_see_it() {
        for (RuntimeException why :
                List.of(new BodyTooLargeException(7), BodyRefusedException.malformed("no gzip: it is cut off"))) {
            var in = new PipelineRun(UpstreamWaiter.NOBODY);
            var back = new PipelineRun(UpstreamWaiter.NOBODY);

            pipeline(List.of(policy("outer", following("outer")), policy("reading", _ -> {
                        throw thrown(why);
                    })))
                    .run(Exchanges.get("/").make(), in);
            pipeline(List.of(policy("outer", following("outer")), policy("reading", breakingBack(why))))
                    .run(Exchanges.get("/").make(), back);

            assertThat(List.of(in, back)).allSatisfy(each -> {
                assertThat(each.stoppedBy()).isEqualTo("reading");
                assertThat(each.cause()).isSameAs(why);
                assertThat(each.broken()).isEmpty();
            });
        }
    }

    @Test
    void a_followup_whose_server_is_away_is_told_as_its_policy() {
        answer(policy("asking", breakingBack(new DependencyException("scanner", "away"))));

        assertThat(pipelineRun.stoppedBy()).isEqualTo("asking");
        assertThat(pipelineRun.cause()).hasMessageContaining("away");
    }

    @ParameterizedTest
    @MethodSource("breakages")
    void what_breaks_at_the_end_keeps_it_from_nobody(Throwable why) {
        pipeline(List.of(
                        policy("outer", following("outer")),
                        policy(
                                "breaking",
                                _ -> Verdict.proceed(new Followup() {
                                    @Override
                                    public void onEnd(Outcome outcome) {
                                        throw thrown(why);
                                    }
                                }))))
                .run(Exchanges.get("/").make(), pipelineRun);

        assertThatThrownBy(() -> pipelineRun.end(OUTCOME))
                .satisfiesAnyOf(
                        told -> assertThat(told).isSameAs(why),
                        told -> assertThat(told).hasCause(why));
        assertThat(events).containsExactly("outer 200", "outer end");
    }

    @ParameterizedTest
    @MethodSource("breakages")
    void what_breaks_when_it_is_asked_whether_the_upstream_is_asked_again_is_told(Throwable why) {
        var asking = new PolicyDefinition(
                "asking",
                Stage.UPSTREAM,
                spec(_ -> Verdict.proceed(new Followup() {
                    @Override
                    public boolean again(Response answer) {
                        throw thrown(why);
                    }
                })),
                Condition.ALWAYS);

        Response answer = answer(policy("outer", following("outer")), asking);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(pipelineRun.stoppedBy()).isEqualTo("asking");
        assertThat(pipelineRun.broken()).containsExactly(new PipelineRun.Breakage("asking", why));
    }

    @Test
    void a_policy_that_refuses_an_answer_is_told_and_one_that_changes_it_is_not() {
        answer(
                policy("outer", following("outer")),
                policy(
                        "refusing",
                        _ -> Verdict.proceed(new Followup() {
                            @Override
                            public Response onResponse(Response response) {
                                return Response.of(502).because("response-refused");
                            }
                        })),
                policy(
                        "changing",
                        _ -> Verdict.proceed(new Followup() {
                            @Override
                            public Response onResponse(Response response) {
                                return response.withStatus(203);
                            }
                        })));

        assertThat(pipelineRun.stoppedBy()).isEqualTo("refusing");
        assertThat(events).containsExactly("outer 502", "outer end");
    }

    @Test
    @SuppressWarnings("NullAway") // as code without its checks does
    void who_refuses_with_nothing_breaks_and_lets_nobody_pass() {
        upstream = (_, _) -> {
            events.add("sent");
            return Response.of(200);
        };

        for (Supplier<Verdict> each :
                List.<Supplier<Verdict>>of(() -> Verdict.stop(null), () -> Verdict.answer(null))) {
            var run = new PipelineRun(UpstreamWaiter.NOBODY);

            Response answer = pipeline(List.of(policy("empty", _ -> each.get())))
                    .run(Exchanges.get("/").make(), run);

            assertThat(answer.status()).isEqualTo(500);
            assertThat(run.stoppedBy()).isEqualTo("empty");
            assertThat(events).isEmpty();
        }
    }

    private Response answer(PolicyDefinition... policies) {
        Response answer = pipeline(List.of(policies)).run(Exchanges.get("/").make(), pipelineRun);
        pipelineRun.end(OUTCOME);
        return answer;
    }

    private Pipeline pipeline(List<PolicyDefinition> policies) {
        return Pipeline.compile("orders", policies, upstream, new FakeServices());
    }

    private static PolicyDefinition policy(String step, Policy policy) {
        return policy(step, spec(policy));
    }

    private static PolicyDefinition policy(String step, PolicySpec spec) {
        return new PolicyDefinition(step, Stage.GUARD, spec, Condition.ALWAYS);
    }

    private static PolicyDefinition limit(String step, LimitPolicy limit) {
        return new PolicyDefinition(step, Stage.LIMIT, spec(limit, RunsOn.REQUEST_THREAD), Condition.ALWAYS);
    }

    private Policy following(String name) {
        return _ -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                events.add(name + ' ' + response.status());
                response.headers().add("X-Seen-By", name);
                return response;
            }

            @Override
            public void onEnd(Outcome outcome) {
                events.add(name + " end");
            }
        });
    }

    private static Policy breakingIn(Throwable why) {
        return _ -> {
            throw thrown(why);
        };
    }

    private Policy breakingBack(Throwable why) {
        return _ -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                events.add("breaking");
                throw thrown(why);
            }
        });
    }

    /// Throws it whatever it is, declared or not.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException thrown(Throwable why) throws T {
        throw (T) why;
    }

    /// Breaks when it is to settle, unless `why` is null.
    private record Hourly(String counter, Throwable why) implements LimitPolicy {
        @Override
        public Optional<Charge> charge(Exchange exchange) {
            var rule = new Rule.FixedWindow(5, 3_600_000_000_000L);
            return Optional.of(new Charge(counter, "all", rule, Counting.EXACT, false));
        }

        @Override
        public Verdict settle(Exchange exchange, Permit permit) {
            if (why == null) return Verdict.proceed();
            throw thrown(why);
        }
    }

    /// Breaks when it is asked what it counts.
    private record Uncounted(Throwable why) implements LimitPolicy {
        @Override
        public Optional<Charge> charge(Exchange exchange) {
            throw thrown(why);
        }

        @Override
        public Verdict settle(Exchange exchange, Permit permit) {
            return Verdict.proceed();
        }
    }
}
