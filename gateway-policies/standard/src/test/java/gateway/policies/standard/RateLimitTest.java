package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Allowance;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.key.ApiKey;
import gateway.policy.LimitPolicy;
import gateway.policy.OnOutage;
import gateway.policy.PolicyPlace;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RateLimitTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String TWO_A_SECOND = "{'requests': 2, 'per': '1s'}";

    private final Reading reading = new Reading(new RateLimit.Type());

    @Test
    void rejects_with_429_when_the_limit_is_spent_and_lets_pass_again_later() {
        var policy = reading.policy(TWO_A_SECOND);
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();

        Response stop = policy.stop(Exchanges.get("/").make()).orElseThrow();
        reading.services().clock().advance(Duration.ofMillis(500));

        assertThat(stop.status()).isEqualTo(429);
        assertThat(Reading.problem(stop)).isEqualTo("rate-limited");
        assertThat(Reading.detail(stop)).isEqualTo("2 requests in 1s are allowed; try again in 1 second");
        assertThat(stop.headers().first("Retry-After")).contains("1");
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();
    }

    @Test
    void tells_what_is_left() {
        Response response =
                reading.policy(TWO_A_SECOND).comingBack(Exchanges.get("/").make(), Response.of(200));

        assertThat(response.headers())
                .hasToString("[RateLimit-Policy, \"rate-limit\";q=2;w=1, RateLimit, \"rate-limit\";r=1;t=1, "
                        + "X-RateLimit-Limit, 2, X-RateLimit-Remaining, 1, X-RateLimit-Reset, 1780272001]");
    }

    @Test
    void tells_in_the_rejection_that_nothing_is_left() {
        var policy = reading.policy("{'requests': 1, 'per': '1m'}");
        policy.stop(Exchanges.get("/").make());

        var headers = policy.stop(Exchanges.get("/").make()).orElseThrow().headers();

        assertThat(headers.first("Retry-After")).contains("60");
        assertThat(headers.first("RateLimit")).contains("\"rate-limit\";r=0;t=60");
        assertThat(headers.first("X-RateLimit-Remaining")).contains("0");
        assertThat(headers.first("X-RateLimit-Reset")).contains("1780272060");
    }

    @Test
    void leaves_out_the_window_when_it_is_not_whole_seconds() {
        Response response = reading.policy("{'requests': 5, 'per': '500ms'}")
                .comingBack(Exchanges.get("/").make(), Response.of(200));

        assertThat(response.headers().first("RateLimit-Policy")).contains("\"rate-limit\";q=5");
    }

    @Test
    void tells_the_limit_with_the_fewest_requests_left_and_lists_all() {
        Response upstream = Response.of(200)
                .with("X-RateLimit-Limit", "10")
                .with("X-RateLimit-Remaining", "1")
                .with("X-RateLimit-Reset", "7")
                .with("RateLimit", "\"inner\";r=1;t=7");

        Response response = reading.policy("{'requests': 50, 'per': '1s'}")
                .comingBack(Exchanges.get("/").make(), upstream);

        assertThat(response.headers().all("RateLimit")).containsExactly("\"inner\";r=1;t=7", "\"rate-limit\";r=49;t=1");
        assertThat(response.headers().all("X-RateLimit-Remaining")).containsExactly("1");
        assertThat(response.headers().all("X-RateLimit-Limit")).containsExactly("10");
    }

    @Test
    void replaces_what_is_told_when_it_leaves_less_or_cannot_be_understood() {
        for (String told : List.of("1000", "many", "", "99999999999999999999")) {
            Response upstream = Response.of(200).with("X-RateLimit-Remaining", told);

            Response response = reading.policy(
                            "{'requests': 50, 'per': '1s', 'by': 'api'}", new PolicyPlace("api-" + told, "rate-limit"))
                    .comingBack(Exchanges.get("/").inApi("api-" + told).make(), upstream);

            assertThat(response.headers().all("X-RateLimit-Remaining")).containsExactly("49");
        }
    }

    @Test
    void counts_each_caller() {
        assertThat(charge(
                        TWO_A_SECOND,
                        Exchanges.get("/").calledBy(caller(Optional.empty())).make()))
                .contains(new Charge(
                        "rate:orders/rate-limit:key_1",
                        "key_1",
                        new Rule.TokenBucket(2, SECOND, 2),
                        Counting.EXACT,
                        false));
    }

    @Test
    void counts_for_all_apis_together_where_its_place_is_shared() {
        var at = new PolicyPlace("orders", "set:gold/rate-limit", true);

        assertThat(charge(TWO_A_SECOND, Exchanges.get("/").from("203.0.113.9").make(), at))
                .map(Charge::counter)
                .contains("rate:set:gold/rate-limit:ip:203.0.113.9");
    }

    @Test
    void counts_unknown_callers_by_address() {
        assertThat(charge(TWO_A_SECOND, Exchanges.get("/").from("203.0.113.9").make()))
                .map(Charge::counter)
                .contains("rate:orders/rate-limit:ip:203.0.113.9");
    }

    @Test
    void leaves_alone_who_needs_no_credential() {
        var exchange = Exchanges.get("/").make();
        exchange.waiveAuthentication();

        assertThat(charge(TWO_A_SECOND, exchange)).isEmpty();
        assertThat(charge("{'requests': 2, 'per': '1s', 'by': 'ip'}", exchange)).isPresent();
    }

    @Test
    void counts_a_key_with_its_own_limit_over_all_apis_by_that_limit() {
        var caller = caller(Optional.of(new Allowance(7, Duration.ofSeconds(2))));

        var charge = charge(
                "{'requests': 2, 'per': '1s', 'algorithm': 'fixed-window', 'counting': 'leased'}",
                Exchanges.get("/").calledBy(caller).make());

        assertThat(charge)
                .contains(new Charge(
                        "rate:key:key_1", "key_1", new Rule.TokenBucket(7, 2 * SECOND, 7), Counting.LEASED, false));
    }

    @Test
    void tells_a_key_its_own_limit() {
        var caller = caller(Optional.of(new Allowance(7, Duration.ofSeconds(2))));

        Response response = reading.policy(TWO_A_SECOND)
                .comingBack(Exchanges.get("/").calledBy(caller).make(), Response.of(200));

        assertThat(response.headers().first("RateLimit-Policy")).contains("\"rate-limit\";q=7;w=2");
        assertThat(response.headers().first("X-RateLimit-Limit")).contains("7");
        assertThat(response.headers().first("X-RateLimit-Remaining")).contains("6");
    }

    @Test
    void holds_a_limit_of_the_whole_api_against_every_key() {
        var caller = caller(Optional.of(new Allowance(7, Duration.ofSeconds(2))));

        assertThat(charge(
                        "{'requests': 2, 'per': '1s', 'by': 'api'}",
                        Exchanges.get("/").calledBy(caller).make()))
                .map(Charge::counter)
                .contains("rate:orders/rate-limit:api:orders");
    }

    @Test
    void counts_an_ipv6_subscriber_as_one() {
        String json = "{'requests': 2, 'per': '1s', 'by': 'ip'}";

        assertThat(charge(json, Exchanges.get("/").from("2001:db8:1:2::1").make()))
                .isEqualTo(charge(
                        json, Exchanges.get("/").from("2001:db8:1:2:ffff::9").make()))
                .isNotEqualTo(
                        charge(json, Exchanges.get("/").from("2001:db8:1:3::1").make()));
    }

    @Test
    void counts_by_a_header_without_letting_its_values_grow_or_name_other_counters() {
        String json = "{'requests': 2, 'per': '1s', 'by': 'header:X-Tenant'}";

        assertThat(charge(json, Exchanges.get("/").with("X-Tenant", "acme").make()))
                .map(Charge::subject)
                .contains("header:acme");
        assertThat(charge(json, Exchanges.get("/").make())).map(Charge::subject).contains("header:none");
        for (String odd : List.of("x".repeat(65), "{slot}", "a b", "*", "é")) {
            String subject = charge(
                            json, Exchanges.get("/").with("X-Tenant", odd).make())
                    .orElseThrow()
                    .subject();
            assertThat(subject).matches("header:#[0-9a-f]{32}");
        }
    }

    @Test
    void counts_by_the_algorithm_of_its_choice_on_counters_of_their_own() {
        assertThat(charge(
                        "{'requests': 2, 'per': '1s', 'burst': 5, 'by': 'api'}",
                        Exchanges.get("/").make()))
                .map(Charge::rule)
                .contains(new Rule.TokenBucket(2, SECOND, 5));
        assertThat(charge(
                        "{'requests': 2, 'per': '1s', 'algorithm': 'sliding-window', 'by': 'api'}",
                        Exchanges.get("/").make()))
                .contains(new Charge(
                        "rate:orders/rate-limit/sliding-window:api:orders",
                        "api:orders",
                        new Rule.SlidingWindow(2, SECOND),
                        Counting.EXACT,
                        false));
        assertThat(charge(
                        "{'requests': 2, 'per': '1s', 'algorithm': 'fixed-window', 'by': 'api'}",
                        Exchanges.get("/").make()))
                .map(Charge::rule)
                .contains(new Rule.FixedWindow(2, SECOND));
    }

    @Test
    void can_go_on_in_every_way_on_an_outage() {
        assertThat(reading.type().outages()).containsExactly(OnOutage.values());
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'requests': 0, 'per': '2d', 'burst': 0, 'algorithm': 'leaky', 'by': 'header:',"
                        + "'counting': 'rough'}"))
                .containsExactlyInAnyOrder(
                        "/requests: expected 1 to 1000000, got 0",
                        "/per: expected a duration from 1ms to 1d, got \"2d\"",
                        "/burst: expected 1 to 1000000, got 0",
                        "/algorithm: expected one of \"token-bucket\", \"sliding-window\", \"fixed-window\", got \"leaky\"",
                        "/by: expected \"key\", \"ip\", \"api\" or \"header:<name>\", got \"header:\"",
                        "/counting: expected one of \"exact\", \"leased\", got \"rough\"");
    }

    @Test
    void asks_for_what_is_missing() {
        assertThat(reading.problems("{}"))
                .containsExactly(
                        "/requests: expected a whole number from 1 to 1000000, got nothing",
                        "/per: expected a duration such as \"1s\", got nothing");
    }

    @Test
    void refuses_a_burst_for_a_window() {
        assertThat(reading.problems("{'requests': 2, 'per': '1s', 'burst': 3, 'algorithm': 'fixed-window'}"))
                .containsExactly("/burst: expected only with \"algorithm\": \"token-bucket\"");
    }

    private Optional<Charge> charge(String json, Exchange exchange) {
        return charge(json, exchange, new PolicyPlace("orders", "rate-limit"));
    }

    private Optional<Charge> charge(String json, Exchange exchange, PolicyPlace at) {
        return switch (reading.spec(json).compile(at, reading.services())) {
            case LimitPolicy limit -> limit.charge(exchange);
            case gateway.policy.Policy policy -> throw new AssertionError(policy);
        };
    }

    private static ApiKey caller(Optional<Allowance> rate) {
        return new ApiKey(
                "key_1", "alice", true, Optional.empty(), Map.of(), rate, Optional.empty(), List.of(), Map.of());
    }
}
