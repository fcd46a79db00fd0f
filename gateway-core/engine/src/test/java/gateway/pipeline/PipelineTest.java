package gateway.pipeline;

import static gateway.config.TestPolicies.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.BodyTooLargeException;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.NotedSpan;
import gateway.http.Outcome;
import gateway.http.Response;
import gateway.http.Span;
import gateway.http.UpstreamException;
import gateway.http.UpstreamWaiter;
import gateway.policy.AnswerCondition;
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
import gateway.service.Upstream;
import gateway.service.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private static final Outcome OUTCOME = new Outcome(200, Outcome.Ending.COMPLETE, 1, 2);

    private final List<String> events = new ArrayList<>();
    private final FakeServices services = new FakeServices();
    private final PipelineRun pipelineRun = new PipelineRun(UpstreamWaiter.NOBODY);

    @Test
    void sorts_steps_by_stage_and_joins_neighbouring_limits() {
        var pipeline = pipeline(
                definition("cache", Stage.CACHE, spec(noted("cache"))),
                definition("quota", Stage.LIMIT, limit("quota", 5)),
                definition("auth", Stage.AUTHENTICATE, spec(noted("auth"))),
                definition("rate", Stage.LIMIT, limit("rate", 5)),
                definition("guard", Stage.GUARD, spec(noted("guard"))));

        assertThat(pipeline).hasToString("[guard, auth, quota, rate, cache]");
        assertThat(pipeline.run(Exchanges.get("/").make(), pipelineRun).status())
                .isEqualTo(200);
        assertThat(events).containsExactly("guard", "auth", "cache", "upstream");
    }

    @Test
    void followups_run_innermost_first_also_after_a_stop_and_end_once() {
        var pipeline = pipeline(
                definition("a", Stage.GUARD, spec(following("a"))),
                definition("b", Stage.GUARD, spec(following("b"))),
                definition("stop", Stage.GUARD, spec(exchange -> Verdict.stop(Response.of(403)))),
                definition("never", Stage.GUARD, spec(noted("never"))));

        Response response = pipeline.run(Exchanges.get("/").make(), pipelineRun);
        pipelineRun.end(OUTCOME);
        pipelineRun.end(OUTCOME);

        assertThat(response.status()).isEqualTo(403);
        assertThat(pipelineRun.stoppedBy()).isEqualTo("stop");
        assertThat(events).containsExactly("b response", "a response", "b end", "a end");
    }

    @Test
    void what_a_policy_calls_is_a_stretch_of_its_step_both_ways() {
        var request = new NotedSpan("request");
        Exchange exchange = Exchanges.get("/").within(request).make();
        Policy calling = asked -> {
            asked.span().begin(Span.Kind.CLIENT, "in").end();
            return Verdict.proceed(new Followup() {
                @Override
                public Response onResponse(Response response) {
                    asked.span().begin(Span.Kind.CLIENT, "back").end();
                    return response;
                }
            });
        };
        var pipeline = pipeline(definition("a", Stage.GUARD, spec(calling, RunsOn.WORKER)));

        pipeline.run(exchange, pipelineRun);

        assertThat(request.notes())
                .contains("request > policy a > in: begin CLIENT", "request > policy a > back: begin CLIENT");
        assertThat(exchange.span()).isSameAs(request);
    }

    @Test
    void a_followup_sees_those_answers_only_that_its_policy_wants() {
        for (int status : new int[] {200, 500}) {
            var failures = new PolicyDefinition(
                    "a",
                    "a",
                    Stage.GUARD,
                    spec(following("a" + status)),
                    Condition.ALWAYS,
                    answer -> answer.status() == 500,
                    OnOutage.DENY,
                    PolicyMode.ENFORCE,
                    false,
                    PolicyLayer.API,
                    "");
            var stop = definition("stop", Stage.VALIDATE, spec(_ -> Verdict.stop(Response.of(status))));
            var run = new PipelineRun(UpstreamWaiter.NOBODY);

            pipeline(failures, stop).run(Exchanges.get("/").make(), run);
            run.end(OUTCOME);
        }

        assertThat(events).containsExactly("a200 end", "a500 response", "a500 end");
    }

    @Test
    void every_followup_ends_though_one_breaks() {
        var pipeline = pipeline(
                definition("a", Stage.GUARD, spec(following("a"))),
                definition("b", Stage.GUARD, spec(exchange -> Verdict.proceed(new BreaksAtTheEnd()))));
        pipeline.run(Exchanges.get("/").make(), pipelineRun);

        assertThatThrownBy(() -> pipelineRun.end(OUTCOME)).hasMessage("broken");

        assertThat(events).contains("a end");
    }

    @Test
    void a_policy_whose_condition_does_not_hold_is_passed_by() {
        Condition posts = exchange -> exchange.method().equals("POST");
        var stop = spec(exchange -> Verdict.stop(Response.of(403)));
        var pipeline = pipeline(new PolicyDefinition("stop", Stage.GUARD, stop, posts));

        assertThat(pipeline.run(Exchanges.get("/").make(), pipelineRun).status())
                .isEqualTo(200);
        assertThat(pipeline.run(Exchanges.of("POST", "/").make(), new PipelineRun(UpstreamWaiter.NOBODY))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void an_outage_is_denied_with_503_or_allowed_as_the_policy_says() {
        var denying = pipeline(definition("auth", Stage.AUTHENTICATE, spec(PipelineTest::away)));
        var allowing = pipeline(definition(
                "auth", Stage.AUTHENTICATE, spec((Policy) PipelineTest::away, RunsOn.REQUEST_THREAD), OnOutage.ALLOW));

        Response denied = denying.run(Exchanges.get("/").make(), pipelineRun);

        assertThat(denied.status()).isEqualTo(503);
        assertThat(denied.headers().first("Retry-After")).contains("1");
        assertThat(allowing.run(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_worker_policy_runs_on_another_virtual_thread_and_its_exception_comes_back() {
        var thread = new AtomicReference<Thread>();
        Policy recording = exchange -> {
            thread.set(Thread.currentThread());
            throw new IllegalStateException("from the worker");
        };
        var pipeline = pipeline(definition("heavy", Stage.VALIDATE, spec(recording, RunsOn.WORKER)));

        Response answer = pipeline.run(Exchanges.get("/").make(), pipelineRun);

        assertThat(answer.reason()).isEqualTo("internal-error");
        assertThat(pipelineRun.broken())
                .extracting(each -> each.why().getMessage())
                .containsExactly("from the worker");

        assertThat(thread.get().getName()).startsWith("worker-");
    }

    @Test
    void a_request_that_one_limit_refuses_spends_nothing_of_the_others() {
        var pipeline = pipeline(
                definition("rate", Stage.LIMIT, limit("rate", 3)), definition("quota", Stage.LIMIT, limit("quota", 2)));
        var rateOnly = pipeline(definition("rate", Stage.LIMIT, limit("rate", 3)));

        var statuses = new ArrayList<Integer>();
        for (int i = 0; i < 5; i++)
            statuses.add(pipeline.run(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY))
                    .status());
        for (int i = 0; i < 2; i++)
            statuses.add(rateOnly.run(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY))
                    .status());

        assertThat(statuses).containsExactly(200, 200, 429, 429, 429, 200, 429);
    }

    @Test
    void an_upstream_without_answer_becomes_a_problem_that_followups_see() {
        Upstream slow = (exchange, waiter) -> {
            throw new UpstreamException(UpstreamException.Kind.TIMEOUT, "slow");
        };
        var pipeline =
                Pipeline.compile("orders", List.of(definition("a", Stage.GUARD, spec(following("a")))), slow, services);

        assertThat(pipeline.run(Exchanges.get("/").make(), pipelineRun).status())
                .isEqualTo(504);
        assertThat(events).containsExactly("a response");
    }

    @Test
    void a_body_that_outgrows_its_limit_is_answered_413() {
        Policy reading = exchange -> {
            throw new BodyTooLargeException(7);
        };

        var pipeline = pipeline(definition("big", Stage.VALIDATE, spec(reading)));

        assertThat(pipeline.run(Exchanges.get("/").make(), pipelineRun).status())
                .isEqualTo(413);
    }

    @Test
    void an_answer_too_large_for_a_followup_is_502_and_each_followup_sees_one_answer() {
        var pipeline = pipeline(
                definition("outer", Stage.GUARD, spec(answering("outer", response -> response))),
                definition("reading", Stage.GUARD, spec(answering("reading", response -> {
                    throw new BodyTooLargeException(7);
                }))),
                definition("inner", Stage.GUARD, spec(answering("inner", response -> response))));

        Response response = pipeline.run(Exchanges.get("/").make(), pipelineRun);
        pipelineRun.end(OUTCOME);

        assertThat(response.status()).isEqualTo(502);
        assertThat(events).containsExactly("upstream", "inner 200", "reading 200", "outer 502");
    }

    @Test
    void an_upstream_that_breaks_off_while_a_followup_holds_its_answer_is_502_to_those_further_out() {
        var pipeline = pipeline(
                definition("outer", Stage.GUARD, spec(answering("outer", response -> response))),
                definition("reading", Stage.GUARD, spec(answering("reading", response -> {
                    throw new UpstreamException(UpstreamException.Kind.BROKEN, "broke off");
                }))));

        assertThat(pipeline.run(Exchanges.get("/").make(), pipelineRun).status())
                .isEqualTo(502);
        assertThat(events).containsExactly("upstream", "reading 200", "outer 502");
    }

    @Test
    void an_outage_on_the_way_back_goes_by_the_policys_onOutage() {
        Policy losing = answering("losing", response -> {
            throw new DependencyException("scanner", "away");
        });
        var allowing = pipeline(definition("scan", Stage.CACHE, spec(losing, RunsOn.REQUEST_THREAD), OnOutage.ALLOW));
        var denying = pipeline(definition("scan", Stage.CACHE, spec(losing, RunsOn.WORKER)));

        Response allowed = allowing.run(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY));
        Response denied = denying.run(Exchanges.get("/").make(), pipelineRun);

        assertThat(allowed.status()).isEqualTo(200);
        assertThat(denied.status()).isEqualTo(503);
        assertThat(denied.headers().first("Retry-After")).contains("1");
        assertThat(pipelineRun.stoppedBy()).isEqualTo("scan");
    }

    @Test
    void followups_of_a_worker_policy_run_on_a_worker_and_those_of_others_do_not() {
        var threads = new ArrayList<Thread>();
        Policy noting = answering("noting", response -> {
            threads.add(Thread.currentThread());
            return response;
        });
        var pipeline = pipeline(
                definition("light", Stage.GUARD, spec(noting)),
                definition("heavy", Stage.CACHE, spec(noting, RunsOn.WORKER)));

        pipeline.run(Exchanges.get("/").make(), pipelineRun);

        assertThat(threads.getFirst()).isNotEqualTo(Thread.currentThread());
        assertThat(threads.getLast()).isEqualTo(Thread.currentThread());
    }

    @Test
    void answers_503_when_no_worker_is_free_and_serves_the_neighbour() {
        var few = new FakeServices(new Workers(2, Duration.ofSeconds(2))); // so long takes no thread to begin
        var begun = new CompletableFuture<Boolean>();
        var over = new CompletableFuture<Verdict>();
        Policy holding = exchange -> {
            begun.complete(true);
            return over.join();
        };
        Policy passing = exchange -> Verdict.proceed();
        Policy late = answering("late", response -> response);
        var busy = Pipeline.compile("busy", List.of(onWorker(holding)), served(), few);
        var sameApi = Pipeline.compile("busy", List.of(onWorker(passing)), served(), few);
        var followed = Pipeline.compile("neighbour", List.of(onWorker(late)), served(), few);
        var first = CompletableFuture.supplyAsync(
                () -> busy.run(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY)));
        begun.join();

        Response refused = sameApi.run(Exchanges.get("/").make(), pipelineRun);
        Response served = followed.run(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY));
        over.complete(Verdict.proceed());

        assertThat(first.join().status()).isEqualTo(200);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.reason()).isEqualTo("policy-busy");
        assertThat(refused.headers().first("Retry-After")).contains("1");
        assertThat(pipelineRun.stoppedBy()).isEqualTo("heavy");
        assertThat(served.status()).isEqualTo(200);
    }

    private static PolicyDefinition onWorker(Policy policy) {
        return definition("heavy", Stage.VALIDATE, spec(policy, RunsOn.WORKER));
    }

    private static Upstream served() {
        return (exchange, waiter) -> Response.of(200);
    }

    private Policy answering(String name, UnaryOperator<Response> followup) {
        return exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                events.add(name + ' ' + response.status());
                return followup.apply(response);
            }
        });
    }

    private Pipeline pipeline(PolicyDefinition... definitions) {
        Upstream upstream = (exchange, waiter) -> {
            events.add("upstream");
            return Response.of(200);
        };
        return Pipeline.compile("orders", List.of(definitions), upstream, services);
    }

    @Test
    void fields_between_upstream_and_a_policy_reach_all_followups_and_no_client() {
        var seen = new ArrayList<String>();
        PolicySpec skipped = new Tagged(_ -> Verdict.proceed());
        PolicySpec outer = spec(_ -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                seen.addAll(response.headers().all("X-Tag"));
                return response;
            }
        }));
        var pipeline = Pipeline.compile(
                "orders",
                List.of(
                        definition("outer", Stage.GUARD, outer),
                        new PolicyDefinition("tagged", Stage.CACHE, skipped, _ -> false)),
                (_, _) -> Response.of(200).with("X-Tag", "a").with("X-Other", "b"),
                services);

        Response answer = pipeline.run(Exchanges.get("/").make(), pipelineRun);

        assertThat(seen).containsExactly("a");
        assertThat(answer.headers()).hasToString("[X-Other, b]");
    }

    private record Tagged(Policy policy) implements PolicySpec {
        @Override
        public Policy compile(PolicyPlace placement, Services services) {
            return policy;
        }

        @Override
        public Set<String> innerFields() {
            return Set.of("X-Tag");
        }
    }

    private static PolicyDefinition definition(String step, Stage stage, PolicySpec spec, OnOutage onOutage) {
        return new PolicyDefinition(
                step,
                step,
                stage,
                spec,
                Condition.ALWAYS,
                AnswerCondition.ALWAYS,
                onOutage,
                PolicyMode.ENFORCE,
                false,
                PolicyLayer.API,
                "");
    }

    private static PolicyDefinition definition(String step, Stage stage, PolicySpec spec) {
        return new PolicyDefinition(step, stage, spec, Condition.ALWAYS);
    }

    private static PolicySpec limit(String counter, long requests) {
        return spec(new Hourly(counter, requests), RunsOn.REQUEST_THREAD);
    }

    private Policy noted(String event) {
        return exchange -> {
            events.add(event);
            return Verdict.proceed();
        };
    }

    private Policy following(String name) {
        return exchange -> Verdict.proceed(new Followup() {
            @Override
            public Response onResponse(Response response) {
                events.add(name + " response");
                return response;
            }

            @Override
            public void onEnd(Outcome outcome) {
                events.add(name + " end");
            }
        });
    }

    private static Verdict away(Exchange exchange) {
        throw new DependencyException("redis", "away");
    }

    private record BreaksAtTheEnd() implements Followup {
        @Override
        public void onEnd(Outcome outcome) {
            throw new NoClassDefFoundError("broken"); // no exception even
        }
    }

    /// Allows `requests` an hour to everybody together.
    private record Hourly(String counter, long requests) implements LimitPolicy {
        @Override
        public Optional<Charge> charge(Exchange exchange) {
            var rule = new Rule.FixedWindow(requests, 3_600_000_000_000L);
            return Optional.of(new Charge(counter, "all", rule, Counting.EXACT, false));
        }

        @Override
        public Verdict settle(Exchange exchange, Permit permit) {
            return switch (permit) {
                case Permit.Granted granted -> Verdict.proceed();
                case Permit.Denied denied -> Verdict.stop(Response.of(429));
            };
        }
    }
}
