package gateway.pipeline;

import static gateway.config.TestPolicies.spec;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Outcome;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.Upstream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What stands behind everything else: done once the request really goes out.
final class UpstreamStageTest {
    private final List<String> events = new ArrayList<>();
    private final Deque<Integer> answers = new ArrayDeque<>();

    @Test
    void what_is_for_the_upstream_alone_is_done_last_and_sees_its_answer_first() {
        run(new Waiting(true), step("token", Stage.UPSTREAM, told("token")), step("mock", Stage.CACHE, told("mock")));

        assertThat(events)
                .containsExactly(
                        "mock", "about", "token", "sent", "token sees 200", "mock sees 200", "token ends", "mock ends");
    }

    @Test
    void a_request_that_is_answered_before_needs_nothing_for_the_upstream() {
        run(
                new Waiting(true),
                step("token", Stage.UPSTREAM, told("token")),
                step("mock", Stage.CACHE, _ -> Verdict.answer(Response.of(204))));

        assertThat(events).isEmpty();
    }

    @Test
    void a_request_that_the_upstream_did_not_take_goes_out_once_more_and_the_first_answer_is_forgotten() {
        answers.add(401);

        Response response = run(
                new Waiting(true),
                step("outer", Stage.TRANSFORM, told("outer")),
                step("token", Stage.UPSTREAM, renewed("token")),
                step("sign", Stage.UPSTREAM, told("sign")));

        assertThat(response.status()).isEqualTo(200);
        assertThat(events)
                .containsExactly(
                        "outer",
                        "about",
                        "token",
                        "sign",
                        "sent", // 401
                        "token",
                        "sign",
                        "sent", // 200
                        "sign sees 200",
                        "token sees 200",
                        "outer sees 200",
                        "sign ends",
                        "token ends",
                        "sign ends",
                        "token ends",
                        "outer ends");
    }

    @Test
    void it_goes_out_no_more_than_once_more() {
        answers.addAll(List.of(401, 401, 401));

        Response response = run(new Waiting(true), step("token", Stage.UPSTREAM, renewed("token")));

        assertThat(response.status()).isEqualTo(401);
        assertThat(events)
                .containsExactly(
                        "about", "token", "sent", "token", "sent", "token sees 401", "token ends", "token ends");
    }

    @Test
    void what_cannot_be_sent_again_is_answered_as_it_came() {
        answers.add(401);

        Response response = run(new Waiting(false), step("token", Stage.UPSTREAM, renewed("token")));

        assertThat(response.status()).isEqualTo(401);
        assertThat(events).containsExactly("about", "token", "sent", "token sees 401", "token ends");
    }

    @Test
    void an_answer_of_the_stage_itself_asks_nobody_again() {
        Response response = run(
                new Waiting(true),
                step("token", Stage.UPSTREAM, renewed("token")),
                step("stop", Stage.UPSTREAM, _ -> Verdict.stop(Response.of(401))));

        assertThat(response.status()).isEqualTo(401);
        assertThat(events).containsExactly("about", "token", "token sees 401", "token ends");
    }

    @Test
    void policies_of_other_stages_are_not_asked_whether_to_send_again() {
        answers.add(401);

        run(new Waiting(true), step("cache", Stage.CACHE, renewed("cache")));

        assertThat(events).containsExactly("cache", "about", "sent", "cache sees 401", "cache ends");
    }

    private Response run(UpstreamWaiter waiter, PolicyDefinition... policies) {
        var pipeline = Pipeline.compile("orders", List.of(policies), new Answering(), new FakeServices());
        var pipelineRun = new PipelineRun(waiter);
        Response response = pipeline.run(Exchanges.get("/").make(), pipelineRun);
        pipelineRun.end(new Outcome(response.status(), Outcome.Ending.COMPLETE, 1, 2));
        return response;
    }

    private static PolicyDefinition step(String name, Stage stage, Policy policy) {
        return new PolicyDefinition(name, stage, spec(policy), Condition.ALWAYS);
    }

    private Policy told(String name) {
        return _ -> {
            events.add(name);
            return Verdict.proceed(new Told(name, false));
        };
    }

    private Policy renewed(String name) {
        return _ -> {
            events.add(name);
            return Verdict.proceed(new Told(name, true));
        };
    }

    private final class Told implements Followup {
        private final String name;
        private final boolean renews;

        private Told(String name, boolean renews) {
            this.name = name;
            this.renews = renews;
        }

        @Override
        public boolean again(Response answer) {
            return renews && answer.status() == 401;
        }

        @Override
        public Response onResponse(Response response) {
            events.add(name + " sees " + response.status());
            return response;
        }

        @Override
        public void onEnd(Outcome outcome) {
            events.add(name + " ends");
        }
    }

    /// With the answers in turn, then with 200.
    private final class Answering implements Upstream {
        @Override
        public void about(Exchange exchange, UpstreamWaiter waiter) {
            events.add("about");
        }

        @Override
        public Response send(Exchange exchange, UpstreamWaiter waiter) {
            events.add("sent");
            return Response.of(answers.isEmpty() ? 200 : answers.remove());
        }
    }

    private record Waiting(boolean sendsAgain) implements UpstreamWaiter {
        @Override
        public String upstream() {
            return "";
        }
    }
}
