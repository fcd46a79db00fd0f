package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

final class PathRulesTest {
    private final Reading reading = new Reading(new PathRules.Type());

    @Test
    void blocks_a_path_and_all_below_it_on_segment_borders() {
        var policy = reading.policy("{'block': [{'path': '/admin'}]}");

        assertThat(policy.stop(Exchanges.get("/admin").make()))
                .map(Response::status)
                .contains(403);
        assertThat(policy.stop(Exchanges.get("/admin/").make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/admin/users").make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/adminx").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/Admin").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();
    }

    @Test
    void a_long_path_is_matched_on_a_worker_and_a_short_one_is_not() {
        var policy = reading.policy("{'block': [{'regex': '/(a+)+'}]}");

        assertThat(policy.stop(Exchanges.get("/aaa").make())).isPresent();
        assertThat(reading.services().workers().taken()).isZero();
        assertThat(policy.stop(Exchanges.get("/" + "a".repeat(15_000)).make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/" + "a".repeat(15_000) + "!").make()))
                .isEmpty();
        assertThat(reading.services().workers().taken()).isEqualTo(2);
    }

    @Test
    void compares_the_path_below_the_api() {
        var policy = reading.policy("{'block': [{'path': '/admin'}]}");

        assertThat(policy.stop(
                        Exchanges.get("/orders/admin").pathInApi("/admin").make()))
                .isPresent();
        assertThat(policy.stop(Exchanges.get("/admin/items").pathInApi("/items").make()))
                .isEmpty();
    }

    @Test
    void blocks_a_path_in_any_case_when_told_to() {
        var policy = reading.policy(
                "{'caseInsensitive': true, 'block': [{'path': '/Admin/{Id}/{id}'}, {'regex': '/Top.*'}]}");

        assertThat(policy.stop(Exchanges.get("/aDMIN/1/2").make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/TOPMOST").make())).isPresent();
    }

    @Test
    void blocks_exactly_one_path_with_or_without_a_slash_at_its_end() {
        var policy = reading.policy("{'block': [{'path': '/admin', 'exact': true}]}");

        assertThat(policy.stop(Exchanges.get("/admin").make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/admin/").make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/admin/users").make())).isEmpty();
    }

    @Test
    void blocks_only_the_methods_it_names() {
        var policy = reading.policy("{'block': [{'path': '/items', 'methods': ['DELETE', 'PUT']}]}");

        assertThat(policy.stop(Exchanges.of("DELETE", "/items").make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/items").make())).isEmpty();
    }

    @Test
    void a_rule_for_get_holds_for_head_and_one_for_head_alone_does_not_hold_for_get() {
        var policy =
                reading.policy("{'block': [{'path': '/a', 'methods': ['GET']}, {'path': '/b', 'methods': ['HEAD']}]}");
        var allowing = reading.policy("{'allow': [{'path': '/a', 'methods': ['GET']}]}");

        assertThat(policy.stop(Exchanges.of("HEAD", "/a").make())).isPresent();
        assertThat(policy.stop(Exchanges.of("HEAD", "/b").make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/b").make())).isEmpty();
        assertThat(allowing.stop(Exchanges.of("HEAD", "/a").make())).isEmpty();
    }

    @Test
    void serves_only_what_is_allowed() {
        var policy = reading.policy("{'allow': [{'path': '/items/{id}', 'methods': ['GET']}]}");

        assertThat(policy.stop(Exchanges.get("/items/7").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/items/7/parts").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/items").make())).isPresent();
        Response stop = policy.stop(Exchanges.of("POST", "/items/7").make()).orElseThrow();
        assertThat(Reading.problem(stop)).isEqualTo("forbidden");
        assertThat(Reading.detail(stop)).isEqualTo("This path is not served, or not with this method");
    }

    @Test
    void asks_for_no_credential_on_what_is_ignored() {
        var policy = reading.policy("{'ignore': [{'path': '/health'}], 'allow': [{'path': '/items'}]}");
        var health = Exchanges.get("/health").make();
        var items = Exchanges.get("/items").make();

        assertThat(policy.stop(health)).isEmpty();
        assertThat(policy.stop(items)).isEmpty();

        assertThat(health.authenticationWaived()).isTrue();
        assertThat(items.authenticationWaived()).isFalse();
    }

    @Test
    void blocks_what_is_both_blocked_and_ignored() {
        var policy = reading.policy("{'ignore': [{'path': '/'}], 'block': [{'path': '/admin'}]}");
        var exchange = Exchanges.get("/admin").make();

        assertThat(policy.stop(exchange)).isPresent();
        assertThat(exchange.authenticationWaived()).isFalse();
    }

    @Test
    void matches_an_expression_against_the_whole_path() {
        var policy = reading.policy("{'block': [{'regex': '/v[12]/.*'}]}");

        assertThat(policy.stop(Exchanges.get("/v1/items").make())).isPresent();
        assertThat(policy.stop(Exchanges.get("/v3/items").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/x/v1/items").make())).isEmpty();
    }

    @Test
    void matches_a_nasty_expression_in_linear_time() {
        var policy = reading.policy("{'block': [{'regex': '(/a+)+$'}]}");
        var exchange = Exchanges.get("/" + "a".repeat(50_000) + "!").make();

        // A backtracking engine would need longer than the universe has.
        assertThat(Assertions.assertTimeoutPreemptively(Duration.ofMinutes(1), () -> policy.stop(exchange)))
                .isEmpty();
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'caseInsensitive': 'no', 'allow': [],"
                        + "'block': [{'path': 'admin'}, {'regex': '('}, {'path': '/a', 'regex': 'b'}, 7, {},"
                        + "{'path': '/a', 'methods': ['get'], 'pth': 1}, {'regex': 'a', 'exact': true}]}"))
                .containsExactlyInAnyOrder(
                        "/caseInsensitive: expected true or false, got \"no\"",
                        "/allow: expected at least one rule, got []",
                        "/block/0/path: expected a path that begins with \"/\", got \"admin\"",
                        "/block/1/regex: expected a regular expression in RE2 syntax: error parsing regexp: missing"
                                + " closing ): `(`",
                        "/block/2/regex: expected either \"path\" or \"regex\", got both",
                        "/block/3: expected an object, got 7",
                        "/block/3/path: expected text, got nothing",
                        "/block/4/path: expected text, got nothing",
                        "/block/5/methods/0: expected a method such as \"GET\", got \"get\"",
                        "/block/5/pth: unknown field; did you mean \"path\"?",
                        "/block/6/exact: expected only with \"path\"");
    }

    @Test
    void refuses_an_expression_that_is_too_long() {
        assertThat(reading.problems("{'block': [{'regex': '" + "a".repeat(1_001) + "'}]}"))
                .containsExactly("/block/0/regex: expected at most 1000 characters, got 1001");
    }
}
