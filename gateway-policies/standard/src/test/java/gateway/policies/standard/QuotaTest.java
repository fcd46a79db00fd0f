package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Allowance;
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
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class QuotaTest {
    private final Reading reading = new Reading(new Quota.Type());

    @Test
    void rejects_with_429_until_the_period_of_its_first_request_is_over() {
        var policy = reading.policy("{'requests': 1, 'per': '30d'}");
        policy.stop(Exchanges.get("/").make());
        reading.services().clock().advance(Duration.ofDays(29));

        Response stop = policy.stop(Exchanges.get("/").make()).orElseThrow();
        reading.services().clock().advance(Duration.ofDays(1));

        assertThat(stop.status()).isEqualTo(429);
        assertThat(Reading.problem(stop)).isEqualTo("quota-exceeded");
        assertThat(Reading.detail(stop)).isEqualTo("1 requests in 30d are allowed; try again in 86400 seconds");
        assertThat(stop.headers().first("Retry-After")).contains("86400");
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();
    }

    @Test
    void begins_anew_with_the_month_of_its_zone() {
        reading.services().clock().set(Instant.parse("2026-06-30T21:59:59Z"));
        var policy = reading.policy("{'requests': 1, 'every': 'month', 'zone': 'Europe/Berlin'}");
        policy.stop(Exchanges.get("/").make());

        Response stop = policy.stop(Exchanges.get("/").make()).orElseThrow();
        reading.services().clock().advance(Duration.ofSeconds(1));

        assertThat(stop.headers().first("X-RateLimit-Reset"))
                .contains(Long.toString(Instant.parse("2026-06-30T22:00:00Z").getEpochSecond()));
        assertThat(Reading.detail(stop)).isEqualTo("1 requests each month are allowed; try again in 1 second");
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();
    }

    @Test
    void tells_its_reset() {
        Response response = reading.policy("{'requests': 100, 'every': 'day'}")
                .comingBack(Exchanges.get("/").make(), Response.of(200));

        assertThat(response.headers())
                .hasToString("[RateLimit-Policy, \"quota\";q=100, RateLimit, \"quota\";r=99;t=86400, "
                        + "X-RateLimit-Limit, 100, X-RateLimit-Remaining, 99, X-RateLimit-Reset, 1780358400]");
    }

    @Test
    void charges_a_durable_counter() {
        assertThat(charge(
                        "{'requests': 5, 'every': 'week', 'zone': 'Europe/Berlin', 'counting': 'leased'}",
                        Optional.empty()))
                .contains(new Charge(
                        "quota:orders/quota/calendar:key_1",
                        "key_1",
                        new Rule.CalendarPeriod(5, Rule.CalendarUnit.WEEK, ZoneId.of("Europe/Berlin")),
                        Counting.LEASED,
                        true));
    }

    @Test
    void counts_a_key_with_its_own_quota_over_all_apis_by_that_quota() {
        var own = new Allowance(7, Duration.ofDays(1));

        assertThat(charge("{'requests': 5, 'every': 'month'}", Optional.of(own)))
                .contains(new Charge(
                        "quota:key:key_1",
                        "key_1",
                        new Rule.RollingPeriod(7, Duration.ofDays(1).toNanos()),
                        Counting.EXACT,
                        true));
    }

    @Test
    void can_go_on_in_every_way_on_an_outage() {
        assertThat(reading.type().outages()).containsExactly(OnOutage.values());
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'requests': 0, 'every': 'moon', 'per': '1d', 'zone': 'Mars/Base', 'by': 'x'}"))
                .containsExactlyInAnyOrder(
                        "/requests: expected 1 to 1000000000000, got 0",
                        "/every: expected one of \"minute\", \"hour\", \"day\", \"week\", \"month\", \"year\", got \"moon\"",
                        "/per: expected either \"per\" or \"every\", got both",
                        "/zone: expected a time zone such as \"Europe/Berlin\", got \"Mars/Base\"",
                        "/by: expected \"key\", \"ip\", \"api\" or \"header:<name>\", got \"x\"");
    }

    @Test
    void asks_for_a_period_and_refuses_a_zone_without_calendar() {
        assertThat(reading.problems("{'requests': 1, 'zone': 'UTC'}"))
                .containsExactly(
                        "/zone: expected only with \"every\"", "/per: expected a duration such as \"1s\", got nothing");
    }

    private Optional<Charge> charge(String json, Optional<Allowance> own) {
        var caller = new ApiKey(
                "key_1", "alice", true, Optional.empty(), Map.of(), Optional.empty(), own, List.of(), Map.of());
        return switch (reading.spec(json).compile(new PolicyPlace("orders", "quota"), reading.services())) {
            case LimitPolicy limit ->
                limit.charge(Exchanges.get("/").calledBy(caller).make());
            case gateway.policy.Policy policy -> throw new AssertionError(policy);
        };
    }
}
