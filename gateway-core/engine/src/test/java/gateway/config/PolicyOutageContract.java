package gateway.config;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policy.FakeServices;
import gateway.policy.OnOutage;
import gateway.policy.PolicyType;
import gateway.policy.TroubledServices;
import gateway.policy.TroubledServices.Port;
import gateway.policy.TroubledServices.Trouble;
import gateway.service.DependencyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Without what it asks, a policy does what it says: it refuses with 503, or goes on where that is said; and when
/// all is well again, so is the policy.
abstract class PolicyOutageContract extends PolicyAnswersContract {
    private static final int MANY = 100; // more than any policy lets wait for a server, or asks at once
    private static final int FEW = 3;
    private static final int AT_ONCE = 24;

    @ParameterizedTest
    @MethodSource("types")
    void what_it_takes_that_may_be_away_is_asked_in_a_case(PolicyType type) {
        Set<Port> taken = EnumSet.noneOf(Port.class);
        Set<Port> asked = EnumSet.noneOf(Port.class);
        for (OutageCase each : outages(type)) {
            try (var policy = new Rig(type, each, json(each.definition()), Trouble.NONE)) {
                assertThat(policy.answer().status()).as("%s", each).isLessThan(400);
                until(() -> policy.troubled.asked().contains(each.port())); // a ban looks at what others know behind it
                taken.addAll(policy.troubled.taken());
                asked.addAll(policy.troubled.asked());
            }
        }
        var troubled = new TroubledServices(services(type), Port.KEYS);
        var spec = reader().read(definition(json(type))).policies().getFirst();
        spec.spec().compile(spec.placeIn("orders"), troubled.services());
        taken.addAll(troubled.taken());
        if (type.outages().isEmpty())
            taken.remove(Port.COUNTERS); // of limits that it brings, which are asked by theirs

        assertThat(asked).containsAll(taken);
    }

    @ParameterizedTest
    @MethodSource("types")
    void without_an_answer_it_goes_by_its_outage_and_recovers(PolicyType type) {
        for (OutageCase each : outages(type)) {
            for (Trouble trouble : List.of(Trouble.AWAY, Trouble.LATE, Trouble.STARVED)) {
                boolean counts = each.port() == Port.COUNTERS && trouble.equals(Trouble.STARVED);
                recovers(type, each, json(each.definition()), trouble, each.goesOn() || counts);
            }
            for (OnOutage chosen : type.outages()) {
                ObjectNode policy =
                        json(each.definition()).put("onOutage", chosen.name().toLowerCase(Locale.ROOT));
                recovers(type, each, policy, Trouble.AWAY, chosen != OnOutage.DENY);
                if (each.port() == Port.COUNTERS) recovers(type, each, policy, Trouble.STARVED, true);
            }
        }
    }

    /// Places that failed requests kept would be missed by those that come when all is well.
    private void recovers(PolicyType type, OutageCase each, ObjectNode policy, Trouble trouble, boolean goesOn) {
        try (var rig = new Rig(type, each, policy, trouble)) {
            int sound = rig.sound();
            for (int i = 0; i < (each.port() == Port.SERVERS ? MANY : FEW); i++) {
                Response answer = rig.answer();
                if (goesOn) assertThat(answer.status()).as("%s", policy).isEqualTo(sound);
                else assertUnavailable(answer, policy);
            }
            rig.recovers(sound);
        }
    }

    private static void assertUnavailable(Response answer, ObjectNode policy) {
        assertThat(answer.status()).as("%s", policy).isEqualTo(503);
        assertThat(answer.reason()).isEqualTo("dependency-unavailable");
        assertThat(answer.headers().first("Retry-After")).isPresent();
    }

    @ParameterizedTest
    @MethodSource("types")
    void many_at_once_wait_no_longer_than_for_an_answer_that_does_not_come(PolicyType type) throws Exception {
        for (OutageCase each : outages(type)) {
            var waits = new CountDownLatch(1);
            var gone = new CountDownLatch(1);
            Trouble slow = (_, _) -> {
                waits.countDown();
                await(gone);
                throw new DependencyException("contract", "timeout", "no answer in time", null);
            };
            try (var rig = new Rig(type, each, json(each.definition()), slow)) {
                int sound = rig.sound();
                List<Future<Response>> answers = rig.atOnce(AT_ONCE);
                await(waits);
                gone.countDown();
                for (Future<Response> answer : answers) {
                    assertThat(answer.get().status()).as("%s", each).isEqualTo(each.goesOn() ? sound : 503);
                }
                rig.recovers(sound);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(1, TimeUnit.MINUTES)) throw new AssertionError("nobody came");
        } catch (InterruptedException e) {
            throw new DependencyException("contract", "timeout", "interrupted", e);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatever_stores_answer_it_lets_nobody_pass_by_it_and_recovers(PolicyType type) {
        for (OutageCase each : outages(type)) {
            for (PortLie lie : PortLie.of(each.port())) {
                try (var rig = new Rig(type, each, json(each.definition()), lie.trouble())) {
                    int sound = rig.sound();

                    int status = rig.answer().status();

                    if (each.goesOn())
                        assertThat(status).as("%s: %s", lie, each).isEqualTo(sound);
                    else if (lie.refuses() && rig.troubled.questions().contains(lie.question()))
                        assertThat(status).as("%s: %s", lie, each).isBetween(400, 499);
                    else assertThat(status).as("%s: %s", lie, each).isNotEqualTo(500);
                    rig.recovers(sound);
                }
            }
        }
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.parse(text);
    }

    /// A served policy whose port is in trouble while a request of the case is answered.
    private final class Rig implements AutoCloseable {
        final FakeServices services;
        final TroubledServices troubled;
        private final PolicyType type;
        private final OutageCase each;
        private final ObjectNode policy;
        private final Trouble trouble;
        private final ServedPolicy served;

        Rig(PolicyType type, OutageCase each, ObjectNode policy, Trouble trouble) {
            this.type = type;
            this.each = each;
            this.policy = policy;
            this.trouble = trouble;
            this.services = services(type, policy);
            each.world().accept(services);
            this.troubled = new TroubledServices(services, each.port());
            if (each.port() == Port.SERVERS) troubled.begin(trouble); // or what it loads ahead is there already
            this.served = new ServedPolicy(reader(), definitions(type, policy, services), troubled.services());
        }

        /// What a request of the case is answered with where all is well.
        int sound() {
            try (var rig = new Rig(type, each, policy, Trouble.NONE)) {
                return rig.answer().status();
            }
        }

        Response answer() {
            Exchanges request = each.request().make(services, served::answer);
            troubled.begin(trouble);
            try {
                return served.answer(request);
            } finally {
                if (each.port() != Port.SERVERS) troubled.begin(Trouble.NONE);
            }
        }

        List<Future<Response>> atOnce(int many) {
            var requests = new ArrayList<Exchanges>();
            for (int i = 0; i < many; i++) requests.add(each.request().make(services, served::answer));
            troubled.begin(trouble);
            var answers = new ArrayList<Future<Response>>();
            var threads = Executors.newVirtualThreadPerTaskExecutor();
            for (Exchanges request : requests) answers.add(threads.submit(() -> served.answer(request)));
            threads.shutdown();
            return answers;
        }

        /// All is well again, and so is the policy, at the latest when it has looked again.
        void recovers(int sound) {
            troubled.begin(Trouble.NONE);
            services.clock().advance(Duration.ofSeconds(10));
            until(
                    () -> served.answer(each.request().make(services, served::answer))
                                    .status()
                            == sound,
                    () -> "not well again: " + each);
            until(() -> services.workers().running() == 0 && services.workers().waiting() == 0);
        }

        @Override
        public void close() {
            served.close();
            until(() -> services.parts().size() == 0);
            services.refresher().close();
        }
    }
}
