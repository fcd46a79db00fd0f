package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.NamedCaller;
import gateway.http.Response;
import gateway.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AuthorizeTest {
    private final Reading reading = new Reading(new Authorize.Type());

    @Test
    void the_first_rule_that_covers_the_request_decides() {
        var policy = reading.policy("{'rules': [{'paths': ['/admin'], 'tags': ['admin']}, {'methods': ['GET']}]}");

        assertThat(status(policy, Exchanges.get("/items").make())).isEmpty();
        assertThat(status(policy, Exchanges.get("/admin/users").make())).contains(403);
        assertThat(status(policy, Exchanges.get("/adminx").make())).isEmpty();
        assertThat(status(policy, by(Exchanges.get("/admin"), "alice", "admin")))
                .isEmpty();
        assertThat(status(policy, by(Exchanges.get("/admin"), "bob", "Admin", "administrators")))
                .contains(403);
    }

    @Test
    void what_no_rule_covers_is_refused_unless_said_otherwise() {
        String rules = "'rules': [{'methods': ['GET']}]";

        assertThat(status(
                        reading.policy("{" + rules + "}"),
                        Exchanges.of("POST", "/").make()))
                .contains(403);
        assertThat(status(
                        reading.policy("{" + rules + ", 'otherwise': 'allow'}"),
                        Exchanges.of("POST", "/").make()))
                .isEmpty();
    }

    @Test
    void a_rule_for_get_holds_for_head_and_a_rule_for_head_for_that_alone() {
        var get = reading.policy("{'rules': [{'methods': ['GET'], 'tags': ['a']}], 'otherwise': 'allow'}");
        var head = reading.policy("{'rules': [{'methods': ['HEAD'], 'tags': ['a']}], 'otherwise': 'allow'}");

        assertThat(status(get, Exchanges.of("HEAD", "/").make())).contains(403);
        assertThat(status(head, Exchanges.get("/").make())).isEmpty();
    }

    @Test
    void a_rule_may_be_for_some_versions() {
        var policy = reading.policy("{'rules': [{'versions': ['v2'], 'tags': ['beta']}], 'otherwise': 'allow'}");

        assertThat(status(policy, Exchanges.get("/").inVersion("v1").make())).isEmpty();
        assertThat(status(policy, Exchanges.get("/").inVersion("v2").make())).contains(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'scope': 'orders:read orders:write'}",
                "{'scope': '  orders:write   orders:read '}",
                "{'scope': ['orders:read', 'orders:write']}",
                "{'scp': 'orders:read orders:write x'}",
                "{'scp': ['orders:write', 'orders:read']}"
            })
    void scopes_are_words_of_a_text_or_a_list(String claims) {
        var policy = reading.policy("{'rules': [{'scopes': ['orders:read', 'orders:write']}]}");

        assertThat(status(policy, claiming(claims))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'scope': ''}",
                "{'scope': 'orders'}",
                "{'scope': 'orders:reader'}",
                "{'scope': 'my-orders:read'}",
                "{'scope': 'Orders:Read'}",
                "{'scope': 'orders:read,orders:write'}",
                "{'scope': 'a\torders:read'}",
                "{'scope': ['orders:read orders:write']}",
                "{'scope': [['orders:read']]}",
                "{'scope': {'orders:read': true}}",
                "{'scope': true}",
                "{'scope': null}",
                "{'scope': '', 'scp': 'orders:read'}",
                "{'scopes': 'orders:read'}"
            })
    void a_scope_that_is_not_there_word_for_word_is_missing_and_the_challenge_names_it(String claims) {
        var policy = reading.policy("{'rules': [{'scopes': ['orders:read']}]}");

        Response refusal = policy.stop(claiming(claims)).orElseThrow();

        assertThat(refusal.status()).isEqualTo(403);
        assertThat(refusal.reason()).isEqualTo("insufficient-scope");
        assertThat(refusal.headers().first("WWW-Authenticate"))
                .contains("Bearer realm=\"orders\", error=\"insufficient_scope\", scope=\"orders:read\"");
    }

    @Test
    void one_of_several_scopes_may_do() {
        var policy = reading.policy("{'rules': [{'anyScope': ['a', 'b'], 'scopes': ['c']}]}");

        assertThat(status(policy, claiming("{'scope': 'b c'}"))).isEmpty();
        assertThat(status(policy, claiming("{'scope': 'a b'}"))).contains(403);
        assertThat(status(policy, claiming("{'scope': 'c'}"))).contains(403);
    }

    @Test
    void claims_are_found_by_pointer_and_one_of_several_values_holds() {
        var policy = reading.policy(
                "{'rules': [{'claims': {'/tenant/plan': ['gold', 'silver'], '/level': 3, '/sub': '*'}}]}");

        assertThat(status(policy, claiming("{'tenant': {'plan': 'silver'}, 'level': 3.0, 'sub': 'a'}")))
                .isEmpty();
        assertThat(status(policy, claiming("{'tenant': {'plan': ['x', 'gold']}, 'level': 3, 'sub': 'a'}")))
                .isEmpty();
        assertThat(status(policy, claiming("{'tenant': {'plan': 'tin'}, 'level': 3, 'sub': 'a'}")))
                .contains(403);
        assertThat(status(policy, claiming("{'tenant': {'plan': 'gold'}, 'level': '3', 'sub': 'a'}")))
                .contains(403);
        assertThat(status(policy, claiming("{'tenant': {'plan': 'gold'}, 'level': 3}")))
                .contains(403);
        assertThat(status(policy, Exchanges.get("/").make())).contains(403);
    }

    @Test
    void a_caller_may_be_named() {
        var policy = reading.policy("{'rules': [{'consumers': ['alice'], 'tags': ['a']}]}");

        assertThat(status(policy, by(Exchanges.get("/"), "alice", "a"))).isEmpty();
        assertThat(status(policy, by(Exchanges.get("/"), "alice", "b"))).contains(403);
        assertThat(status(policy, by(Exchanges.get("/"), "bob", "a"))).contains(403);
    }

    @Test
    void what_is_open_to_everybody_stays_open() {
        Exchange exchange = Exchanges.of("OPTIONS", "/").make();
        exchange.waiveAuthentication();

        assertThat(status(reading.policy("{'rules': [{'tags': ['a']}]}"), exchange))
                .isEmpty();
    }

    @Test
    void nothing_of_the_caller_stands_in_the_answer() {
        Response refusal = reading.policy("{'rules': [{'claims': {'/a': 'wanted'}}]}")
                .stop(claiming("{'a': 'held'}"))
                .orElseThrow();

        assertThat(new String(refusal.body().bytes(1_000), java.nio.charset.StandardCharsets.UTF_8))
                .doesNotContain("wanted", "held", "/a");
    }

    @Test
    void bad_input_is_told_under_its_pointer() {
        assertThat(reading.problems("{}")).containsExactly("/rules: expected 1 to 200 rules, got 0");
        assertThat(reading.problems("{'rules': [{'scopes': [], 'tags': [], 'claims': {'a': 1}, 'paths': ['x']}]}"))
                .containsExactlyInAnyOrder(
                        "/rules/0/scopes: expected 1 to 100 of them, got 0",
                        "/rules/0/tags: expected 1 to 100 of them, got 0",
                        "/rules/0/claims/a: expected a place such as \"/tenant/plan\", got \"a\"",
                        "/rules/0/paths/0: expected a path that begins with \"/\", got \"x\"");
        assertThat(reading.problems("{'rules': [{'scopes': ['a b'], 'claims': {'/a': [], '/b': {}, '/c': [1, []]}}]}"))
                .hasSize(4);
    }

    private static Optional<Integer> status(Reading.Compiled policy, Exchange exchange) {
        return policy.stop(exchange).map(Response::status);
    }

    private static Exchange claiming(String claims) {
        Exchange exchange = Exchanges.get("/").make();
        exchange.found(Exchange.CLAIMS, Json.parse(claims.replace('\'', '"').replace("\t", "\\t")));
        return exchange;
    }

    private static Exchange by(Exchanges request, String id, String... tags) {
        return request.calledBy(new NamedCaller(id, List.of(tags), Map.of())).make();
    }
}
