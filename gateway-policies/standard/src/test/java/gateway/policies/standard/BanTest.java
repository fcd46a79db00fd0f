package gateway.policies.standard;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.NamedCaller;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.FakeServices;
import gateway.policy.PolicyPlace;
import gateway.service.Bans;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BanTest {
    private static final String THREE = "{'failures': 3, 'per': '1m', 'for': '10m'}";
    private static final PolicyPlace PLACE = new PolicyPlace("orders", "ban");

    private final FakeServices services = new FakeServices();
    private final Reading reading = new Reading(new Ban.Type(), services);

    @Test
    void who_is_refused_once_too_often_is_kept_out_and_told_for_how_long() {
        var policy = reading.policy(THREE);

        refuse(policy, "192.0.2.7", 2);
        assertThat(policy.stop(from("192.0.2.7"))).isEmpty();
        refuse(policy, "192.0.2.7", 1);

        Response stop = policy.stop(from("192.0.2.7")).orElseThrow();
        assertThat(stop.status()).isEqualTo(429);
        assertThat(Reading.problem(stop)).isEqualTo("banned");
        assertThat(stop.headers().first("Retry-After")).contains("600");
        assertThat(policy.stop(from("192.0.2.8"))).isEmpty();
    }

    @Test
    void a_ban_ends_and_refusals_that_lie_further_apart_than_the_window_make_none() {
        var policy = reading.policy(THREE);
        refuse(policy, "192.0.2.7", 3);
        services.clock().advance(Duration.ofMinutes(10));
        assertThat(policy.stop(from("192.0.2.7"))).isEmpty();

        refuse(policy, "192.0.2.8", 2);
        services.clock().advance(Duration.ofMinutes(1));
        refuse(policy, "192.0.2.8", 2);

        assertThat(policy.stop(from("192.0.2.8"))).isEmpty();
    }

    @Test
    void each_further_ban_is_twice_as_long_up_to_the_longest_and_good_conduct_is_remembered() {
        var policy = reading.policy("{'failures': 1, 'per': '1m', 'for': '10s', 'maxFor': '30s'}");

        assertThat(lengthOfNext(policy)).isEqualTo("10");
        services.clock().advance(Duration.ofSeconds(10));
        assertThat(lengthOfNext(policy)).isEqualTo("20");
        services.clock().advance(Duration.ofSeconds(20));
        assertThat(lengthOfNext(policy)).isEqualTo("30");
        services.clock().advance(Duration.ofSeconds(60));
        assertThat(lengthOfNext(policy)).isEqualTo("10");
    }

    private String lengthOfNext(Reading.Compiled policy) {
        refuse(policy, "192.0.2.7", 1);
        return policy.stop(from("192.0.2.7"))
                .orElseThrow()
                .headers()
                .first("Retry-After")
                .orElseThrow();
    }

    @Test
    void ipv6_addresses_of_one_network_of_64_bits_are_one() {
        var policy = reading.policy(THREE);

        refuse(policy, "2001:db8::1", 2);
        refuse(policy, "2001:db8::ffff:1", 1);

        assertThat(policy.stop(from("2001:db8::3"))).isPresent();
        assertThat(policy.stop(from("2001:db8:0:1::3"))).isEmpty();
    }

    @Test
    void nobody_is_kept_out_whom_the_definition_excepts() {
        var policy = reading.policy("{'failures': 1, 'per': '1m', 'for': '10m', 'never': ['192.0.2.0/24']}");

        refuse(policy, "192.0.2.7", 5);
        refuse(policy, "198.51.100.7", 1);

        assertThat(policy.stop(from("192.0.2.7"))).isEmpty();
        assertThat(policy.stop(from("198.51.100.7"))).isPresent();
    }

    @Test
    void a_header_is_counted_by_its_value_which_nobody_is_shown_and_without_one_nobody_is() {
        var policy = reading.policy("{'by': 'header:X-Key', 'failures': 1, 'per': '1m', 'for': '10m'}");
        var before = Exchanges.get("/").with("X-Key", "hush-hush").make();
        policy.comingBack(Exchanges.get("/").make(), Response.of(401));
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();

        policy.comingBack(before, Response.of(401));

        assertThat(policy.stop(Exchanges.get("/").with("X-Key", "hush-hush").make()))
                .isPresent();
        assertThat(policy.stop(Exchanges.get("/").with("X-Key", "other").make()))
                .isEmpty();
        assertThat(policy.policy().toString()).doesNotContain("hush");
    }

    @Test
    void a_caller_is_counted_wherever_it_comes_from() {
        var policy = reading.policy(
                "{'by': 'key', 'stage': 'authorize', 'answers': {'statuses': [404]}, 'failures': 1, 'per': '1m', 'for': '10m'}",
                PLACE);
        var alice = Exchanges.get("/").calledBy(new NamedCaller("alice")).make();

        policy.comingBack(alice, Response.of(404));

        assertThat(policy.stop(Exchanges.get("/")
                        .from("198.51.100.1")
                        .calledBy(new NamedCaller("alice"))
                        .make()))
                .isPresent();
        assertThat(policy.stop(
                        Exchanges.get("/").calledBy(new NamedCaller("bob")).make()))
                .isEmpty();
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();
    }

    @Test
    void problems_are_counted_by_type_and_an_upstream_cannot_make_them() {
        var policy =
                reading.policy("{'answers': {'problems': ['rate-limited']}, 'failures': 1, 'per': '1m', 'for': '10m'}");
        policy.comingBack(from("192.0.2.7"), Response.of(429));
        assertThat(policy.stop(from("192.0.2.7"))).isEmpty();

        policy.comingBack(
                from("192.0.2.7"), Problem.of("rate-limited", 429, "", "").toResponse("r"));

        assertThat(policy.stop(from("192.0.2.7"))).isPresent();
    }

    @Test
    void a_share_counts_good_answers_too_and_waits_for_enough_of_them() {
        var policy = reading.policy("{'percent': 50, 'minRequests': 10, 'per': '1m', 'for': '10m'}");

        refuse(policy, "192.0.2.7", 4);
        answer(policy, "192.0.2.7", 6);
        assertThat(policy.stop(from("192.0.2.7"))).isEmpty();
        refuse(policy, "192.0.2.7", 1);
        assertThat(policy.stop(from("192.0.2.7"))).isEmpty(); // 5 of 11
        refuse(policy, "192.0.2.7", 1);

        assertThat(policy.stop(from("192.0.2.7"))).isPresent(); // 6 of 12
    }

    @Test
    void made_up_addresses_push_out_each_other_and_never_who_was_refused_just_now() {
        var counts = new RefusalCounts(
                new BanRule(3, 100, false, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1)));
        for (int i = 0; i < 3 * RefusalCounts.MOST_SUBJECTS; i++) {
            if (i % 5_000 == 0) assertThat(counts.refused("ip:attacker", 0)).isEqualTo(i % 15_000 == 10_000);
            counts.refused("ip:" + i, 0);
        }

        assertThat(counts.size()).isEqualTo(RefusalCounts.MOST_SUBJECTS);
    }

    @Test
    void past_the_most_bans_who_is_soonest_let_in_again_is() {
        var policy = reading.policy("{'failures': 1, 'per': '1m', 'for': '10m'}");
        refuse(policy, "192.0.2.1", 1);
        services.clock().advance(Duration.ofSeconds(1));

        for (int i = 0; i < BanTable.MOST_ENTRIES; i++) refuse(policy, "10.0." + i / 256 + '.' + i % 256, 1);

        assertThat(policy.stop(from("192.0.2.1"))).isEmpty();
        assertThat(policy.stop(from("10.0.0.0"))).isPresent();
        assertThat(policy.stop(from("10.0.15.255"))).isPresent();
    }

    @Test
    void a_ban_of_one_node_is_one_of_the_others_until_one_of_them_lifts_it() {
        BanTable first = table(services);
        BanTable second = table(services);
        first.served();
        second.served();

        first.refused("ip:192.0.2.7", services.clock().millis());
        second.refused("ip:192.0.2.8", services.clock().millis());

        until(() -> second.standing().size() == 2 && first.standing().equals(second.standing()), second::standing);
        assertThat(second.lift("ip:192.0.2.7")).isTrue();
        assertThat(second.lift("ip:192.0.2.7")).isFalse();
        until(() -> first.standing().size() == 1, first::standing);
        assertThat(first.standing()).map(Bans.Ban::subject).containsExactly("ip:192.0.2.8");
        first.retired();
        second.retired();
    }

    @Test
    void all_that_a_table_holds_is_shared() {
        BanTable first = table(services);
        long now = services.clock().millis();
        String longest = "key:" + "a".repeat(60);
        for (int i = 0; i < BanTable.MOST_ENTRIES; i++) first.refused(longest + i, now);
        BanTable second = table(services);

        first.served();
        second.served();

        until(
                () -> second.standing().size() == BanTable.MOST_ENTRIES,
                () -> second.standing().size());
        first.retired();
        second.retired();
    }

    @Test
    void lines_that_no_gateway_has_written_are_passed_over() {
        assertThat(BanEntry.parse("ip:192.0.2.7 a zz 1")).isPresent();
        for (String line :
                List.of("", "a", "a b c d e", " 1 1 1", "a -1 1 1", "a 1 1 -1", "a 1 é 1", "a 1 1 zzzzzzzzzz"))
            assertThat(BanEntry.parse(line)).as(line).isEmpty();
    }

    @Test
    void refuses_what_would_ban_nobody_or_everybody() {
        assertThat(reading.problems("{'failures': 1, 'percent': 5, 'per': '1m', 'for': '1m'}"))
                .containsExactly("/: expected either \"failures\" or \"percent\", got both");
        assertThat(reading.problems("{'per': '1m', 'for': '1m'}"))
                .containsExactly("/: expected either \"failures\" or \"percent\", got neither");
        assertThat(reading.problems("{'failures': 0, 'per': '999ms', 'for': '31d'}"))
                .hasSize(3);
        assertThat(reading.problems("{'failures': 1, 'per': '1m', 'for': '1m', 'maxFor': '59s'}"))
                .containsExactly("/maxFor: expected at least \"for\", 1m, got 59s");
        assertThat(reading.problems("{'failures': 1, 'minRequests': 2, 'per': '1m', 'for': '1m'}"))
                .containsExactly("/minRequests: expected only with \"percent\"");
        assertThat(reading.problems("{'by': 'key', 'failures': 1, 'per': '1m', 'for': '1m'}"))
                .containsExactly(
                        "/by: expected \"key\" only with \"stage\": \"authorize\", where it is known who calls");
        assertThat(reading.problems("{'by': 'api', 'failures': 1, 'per': '1m', 'for': '1m'}"))
                .containsExactly("/by: expected \"ip\", \"key\" or \"header:<name>\", got \"api\"");
        assertThat(reading.problems("{'answers': {}, 'failures': 1, 'per': '1m', 'for': '1m'}"))
                .containsExactly("/answers: expected a status or a problem type");
        assertThat(reading.problems("{'answers': {'statuses': [200, 600]}, 'failures': 1, 'per': '1m', 'for': '1m'}"))
                .hasSize(2);
    }

    private static BanTable table(FakeServices services) {
        var rule = new BanRule(1, 100, false, Duration.ofMinutes(1), Duration.ofMinutes(10), Duration.ofMinutes(10));
        return BanTable.of("orders/ban", rule, services);
    }

    private static void refuse(Reading.Compiled policy, String address, int times) {
        for (int i = 0; i < times; i++) policy.comingBack(from(address), Response.of(401));
    }

    private static void answer(Reading.Compiled policy, String address, int times) {
        for (int i = 0; i < times; i++) policy.comingBack(from(address), Response.of(200));
    }

    private static Exchange from(String address) {
        return Exchanges.get("/").from(address).make();
    }
}
