package gateway.pipeline;

import static gateway.http.Gzip.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.AnswerCondition;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.CompiledPolicy;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.Followup;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyLayer;
import gateway.policy.PolicyMode;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.Workers;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whose thread unpacks what a policy wants to see plain.
@Timeout(60)
final class LargePackedBodiesTest {
    private static final int AT_ONCE = 64 * 1024;
    private static final BodyAccess PLAIN = BodyAccess.plain(1_000_000);

    private final FakeServices services = new FakeServices();
    private int seen;

    private final class Seeing implements PolicySpec {
        private final BodyUse use;

        Seeing(BodyUse use) {
            this.use = use;
        }

        @Override
        public BodyUse bodyUse() {
            return use;
        }

        @Override
        public CompiledPolicy compile(PolicyPlace placement, Services ignored) {
            return (Policy) exchange -> {
                exchange.held().ifPresent(body -> seen = Math.max(seen, body.plain().length));
                return Verdict.proceed(new Followup() {
                    @Override
                    public Response onResponse(Response answer) {
                        answer.held().ifPresent(body -> seen = Math.max(seen, body.plain().length));
                        return answer;
                    }
                });
            };
        }
    }

    private PolicyDefinition step(BodyUse use) {
        return new PolicyDefinition("step", Stage.VALIDATE, new Seeing(use), Condition.ALWAYS);
    }

    private static PolicyDefinition reporting(PolicySpec spec) {
        return new PolicyDefinition(
                "step",
                "step",
                Stage.VALIDATE,
                spec,
                Condition.ALWAYS,
                AnswerCondition.ALWAYS,
                OnOutage.DENY,
                PolicyMode.REPORT,
                false,
                PolicyLayer.API,
                "");
    }

    private Response run(PolicyDefinition step, Exchange exchange, Response answer, Services with) {
        return Pipeline.compile("orders", List.of(step), (sent, waiter) -> answer, with)
                .run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
    }

    private Response ask(byte[] content, Services with) {
        return run(step(BodyUse.ofRequests(PLAIN)), packed(content), Response.of(200), with);
    }

    private static Exchange packed(byte[] content) {
        Exchange exchange =
                Exchanges.of("POST", "/").with("Content-Encoding", "gzip").make();
        exchange.outgoing().hold(Body.of(gzip(content)));
        return exchange;
    }

    private Response answer(byte[] content, Services with) {
        Response packed = Response.of(200, "text/plain", gzip(content)).with("Content-Encoding", "gzip");
        return run(step(BodyUse.ofResponses(PLAIN)), Exchanges.get("/").make(), packed, with);
    }

    /// Text that gzip makes about three quarters of.
    private static byte[] text(int length) {
        byte[] text = new byte[length];
        var random = new Random(1);
        for (int i = 0; i < length; i++) text[i] = (byte) ('0' + random.nextInt(64));
        return text;
    }

    @Test
    void little_is_unpacked_by_the_thread_of_its_request() {
        assertThat(ask(text(AT_ONCE), services).status()).isEqualTo(200);
        assertThat(seen).isEqualTo(AT_ONCE);
        seen = 0;
        assertThat(answer(text(AT_ONCE - 1), services).status()).isEqualTo(200);
        assertThat(seen).isEqualTo(AT_ONCE - 1);

        assertThat(services.workers().taken()).isZero();
    }

    @Test
    void much_is_unpacked_by_a_worker_however_little_was_sent() {
        assertThat(ask(new byte[AT_ONCE + 1], services).status()).isEqualTo(413); // over 200 times
        assertThat(services.workers().taken()).isOne();

        for (int length : new int[] {AT_ONCE + 1, 900_000}) {
            seen = 0;
            long before = services.workers().taken();
            assertThat(ask(text(length), services).status()).isEqualTo(200);
            assertThat(seen).isEqualTo(length);
            assertThat(services.workers().taken()).isEqualTo(before + 1);
        }
        assertThat(ask(text(1_000_001), services).status()).isEqualTo(413);
    }

    @Test
    void codings_upon_each_other_are_undone_by_a_worker() {
        Exchange exchange =
                Exchanges.of("POST", "/").with("Content-Encoding", "gzip, gzip").make();
        exchange.outgoing().hold(Body.of(gzip(gzip(text(9)))));

        assertThat(run(step(BodyUse.ofRequests(PLAIN)), exchange, Response.of(200), services)
                        .status())
                .isEqualTo(200);

        assertThat(seen).isEqualTo(9);
        assertThat(services.workers().taken()).isOne();
    }

    @Test
    void answers_likewise() {
        assertThat(answer(text(900_000), services).status()).isEqualTo(200);

        assertThat(seen).isEqualTo(900_000);
        assertThat(services.workers().taken()).isOne();
        assertThat(answer(text(1_000_001), services).status()).isEqualTo(502);
    }

    @Test
    void nothing_is_unpacked_twice_for_policies_that_ask_one_after_another() {
        PolicyDefinition step = step(BodyUse.ofRequests(PLAIN));

        Pipeline.compile("orders", List.of(step, step), (sent, waiter) -> Response.of(200), services)
                .run(packed(text(900_000)), new PipelineRun(UpstreamWaiter.NOBODY));

        assertThat(services.workers().taken()).isOne();
    }

    @Test
    void what_no_worker_takes_in_time_is_answered_503_and_only_reported_by_who_reports() throws InterruptedException {
        var busy = new Workers(1, Duration.ofMillis(1));
        var begun = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        Thread.ofVirtual()
                .start(() -> busy.call("other", () -> {
                    begun.countDown();
                    over.await();
                    return "";
                }));
        begun.await();
        try {
            var with = new FakeServices(busy);

            Response refused = ask(text(900_000), with);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.reason()).isEqualTo("policy-busy");
            assertThat(answer(text(900_000), with).reason()).isEqualTo("policy-busy");
            var reporting = reporting(new Seeing(BodyUse.ofRequests(PLAIN)));
            assertThat(run(reporting, packed(text(900_000)), Response.of(200), with)
                            .status())
                    .isEqualTo(200);
            assertThat(ask(text(AT_ONCE), with).status()).isEqualTo(200);
        } finally {
            over.countDown();
        }
    }
}
