package gateway.policies.standard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.CanonicalPath;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.Json;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RewriteTest {
    private final Reading reading = new Reading(new Rewrite.Type());

    @Test
    void a_long_path_is_matched_on_a_worker() {
        Exchange exchange = Exchanges.get("/" + "a".repeat(15_000)).make();

        assertThat(reading.policy("{'path': {'regex': '/(a+)+', 'to': '/b'}}").stop(exchange))
                .isEmpty();
        assertThat(exchange.outgoing().path()).isEqualTo("/b");
        assertThat(reading.services().workers().taken()).isOne();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'prefix': '/v1', 'to': '/api/x'}              | /v1/orders/7   | /api/x/orders/7",
                "{'prefix': '/v1', 'to': '/api'}                | /v1            | /api",
                "{'prefix': '/v1', 'to': '/api'}                | /v1/           | /api/",
                "{'prefix': '/v1', 'to': '/'}                   | /v1            | /",
                "{'prefix': '/v1', 'to': '/'}                   | /v1/a          | /a",
                "{'prefix': '/', 'to': '/api'}                  | /v1/a          | /api/v1/a",
                "{'prefix': '/v1', 'to': '/api'}                | /v11/a         | /v11/a",
                "{'prefix': '/a/{id}', 'to': '/b'}              | /a/7/c%20d     | /b/c%20d",
                "{'prefix': '/ü', 'to': '/c'}                   | /%c3%bc/%3f    | /c/%3f",
                "{'regex': '/v1/(.*)', 'to': '/api/$1'}         | /v1/a/b        | /api/a/b",
                "{'regex': '/v1/(.*)', 'to': '/api/$1'}         | /v2/a          | /v2/a",
                "{'regex': '/([^/]+)/([^/]+)', 'to': '/$2/$1'}  | /a%3fb/c%23d   | /c%23d/a%3fb",
                "{'regex': '/(?P<who>[^/]+)/x', 'to': '/u/${who}'} | /%C3%BC%20%F0%9F%99%82/x | /u/%C3%BC%20%F0%9F%99%82",
                "{'regex': '/(ü)?(.*)', 'to': '/x$2$1'}         | /%c3%bc/z      | /x/z%c3%bc",
                "{'regex': '(/.*)', 'to': '$1/$$'}              | /a             | /a/$",
                "{'regex': '/(.)', 'to': '/$0'}                 | /a             | ",
            })
    void a_path_goes_on_as_another_made_of_what_was_sent(String path, String sent, String goesOn) {
        Exchange exchange = Exchanges.get(sent).make();

        Optional<Response> stop = reading.policy("{'path': " + path + "}").stop(exchange);

        if (goesOn == null) {
            assertThat(stop).map(Reading::problem).contains("bad-path");
            return;
        }
        assertThat(stop).isEmpty();
        assertThat(exchange.outgoing().path()).isEqualTo(goesOn);
        assertThat(exchange.rawPath()).isEqualTo(sent);
        assertThat(exchange.pathInApi()).isEqualTo(sent);
    }

    @Property
    void what_a_client_puts_into_a_template_stays_one_segment(@ForAll String value) {
        Exchange exchange = Exchanges.get("/").make();
        exchange.variable("tenant", value);

        var stop = reading.policy("{'path': {'template': '/tenants/{var.tenant}/orders'}}")
                .stop(exchange);

        if (stop.isPresent()) {
            assertThat(stop).map(Response::status).contains(400);
            assertThat(exchange.outgoing().path()).isEqualTo("/");
            return;
        }
        String path = exchange.outgoing().path();
        assertThat(path).matches("/tenants/([A-Za-z0-9._~-]|%[0-9A-F]{2})+/orders");
        assertThat(CanonicalPath.of(path)).isInstanceOf(CanonicalPath.Canonical.class);
    }

    @Test
    void a_placeholder_that_ends_in_path_is_a_path_whose_escapes_stay() {
        Exchange exchange = Exchanges.get("/a%3fb/c").make();
        exchange.variable("inner-path", "x/y?z#%");

        reading.policy("{'path': {'template': '/old{request.path}/{var.inner-path}'}}")
                .stop(exchange);

        assertThat(exchange.outgoing().path()).isEqualTo("/old/a%3fb/c/x/y%3Fz%23%25");
    }

    @ParameterizedTest
    @CsvSource({"..", "a/../b", "a//b", "%2e%2e", "a%2Fb", "a%00", "%252e", "a/./b"})
    void a_path_that_would_lead_elsewhere_is_refused_and_nothing_changes(String value) {
        Exchange exchange = Exchanges.get("/orders?a=1").make();
        exchange.variable("path", value);

        var stop = reading.policy("{'path': {'template': '/x/{var.path}'}, 'query': {'remove': ['a']}}")
                .stop(exchange);

        assertThat(stop).map(Response::status).contains(400);
        assertThat(stop).map(Reading::problem).contains("bad-path");
        assertThat(exchange.outgoing().path()).isEqualTo("/orders");
        assertThat(exchange.outgoing().query()).isEqualTo("a=1");
    }

    @Test
    void the_query_is_made_of_what_is_kept_and_what_is_written() {
        Exchange exchange = Exchanges.get("/?a=1&b=2&debug=%2f&c=3&a=4").make();
        exchange.found("claims", Json.parse("{\"tenant\": \"a&b=c #\"}"));

        reading.policy("{'query': {'keepOnly': ['a', 'c', 'debug'], 'remove': ['debug'],"
                        + " 'set': {'a': '{request.query.b}', 'none': '{var.none}', 'tenant': '{claim:/tenant}'},"
                        + " 'add': {'c': '4'}}}")
                .stop(exchange);

        assertThat(exchange.outgoing().query()).isEqualTo("c=3&a=2&tenant=a%26b%3Dc%20%23&c=4");
    }

    @Test
    void get_goes_without_a_body_and_post_says_that_it_has_none() {
        Exchange posted = Exchanges.of("POST", "/")
                .with("Content-Length", "4")
                .with("Content-Type", "text/plain")
                .body("sent")
                .make();
        Exchange got = Exchanges.get("/").make();

        reading.policy("{'method': 'GET'}").stop(posted);
        reading.policy("{'method': 'POST'}").stop(got);

        assertThat(posted.outgoing()).hasToString("GET /");
        assertThat(posted.outgoing().body()).isEqualTo(Body.EMPTY);
        assertThat(posted.headers()).hasToString("[]");
        assertThat(posted.method()).isEqualTo("POST");
        assertThat(posted.body().bytes(10)).asString(UTF_8).isEqualTo("sent");
        assertThat(got.outgoing()).hasToString("POST /");
        assertThat(got.headers()).hasToString("[Content-Length, 0]");
    }

    @Test
    void the_handshake_of_a_web_socket_keeps_its_method() {
        Exchange exchange = Exchanges.get("/chat").openingWebSocket().make();

        reading.policy("{'method': 'POST', 'path': {'prefix': '/chat', 'to': '/socket'}}")
                .stop(exchange);

        assertThat(exchange.outgoing()).hasToString("GET /socket");
    }

    @Test
    void host_and_branch_are_for_the_upstream_alone() {
        Exchange exchange = Exchanges.get("/").host("api.example.com").make();

        reading.policy("{'host': 'Orders.internal:8443', 'target': 'green'}").stop(exchange);

        assertThat(exchange.outgoing().authority()).isEqualTo("orders.internal:8443");
        assertThat(exchange.outgoing().branch()).isEqualTo("green");
        assertThat(exchange.host()).isEqualTo("api.example.com");
        assertThat(reading.spec("{'host': 'a', 'target': 'green'}").branches())
                .containsExactly(Map.entry("/target", "green"));
        assertThat(reading.spec("{'rules': [{'host': 'a'}, {'target': 'green'}]}")
                        .branches())
                .containsExactly(Map.entry("/rules/1/target", "green"));
    }

    @Test
    void a_second_rewrite_goes_on_from_what_the_first_has_made() {
        Exchange exchange = Exchanges.get("/v1/a").make();

        reading.policy("{'path': {'prefix': '/v1', 'to': '/v2'}, 'host': 'a'}").stop(exchange);
        reading.policy("{'path': {'prefix': '/v2', 'to': '/v3'}}").stop(exchange);

        assertThat(exchange.outgoing().path()).isEqualTo("/v3/a");
        assertThat(exchange.outgoing().authority()).isEqualTo("a");
    }

    @Test
    void the_first_rule_whose_path_it_is_counts() {
        Exchange exchange = Exchanges.get("/b/1").make();

        reading.policy("{'rules': [{'path': {'prefix': '/a', 'to': '/x'}, 'host': 'first'},"
                        + " {'path': {'prefix': '/b', 'to': '/y'}, 'host': 'second'},"
                        + " {'host': 'third'}]}")
                .stop(exchange);

        assertThat(exchange.outgoing().path()).isEqualTo("/y/1");
        assertThat(exchange.outgoing().authority()).isEqualTo("second");
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{}"))
                .containsExactly("/: expected at least one of path, query, method, host, target");
        assertThat(reading.problems("{'rules': [], 'host': 'a'}"))
                .containsExactly(
                        "/host: expected either \"rules\" or \"host\", got both",
                        "/rules: expected 1 to 100 rules, got 0");
        assertThat(reading.problems("{'path': {'regex': '/(a)', 'to': '/$2/$x${y}'}, 'method': 'CONNECT',"
                        + " 'host': 'a b', 'query': {'sets': {}}}"))
                .containsExactlyInAnyOrder(
                        "/path/to: expected \"$\" before a group of the expression, got \"$2\"; \"$$\" stands for one"
                                + " \"$\"",
                        "/path/to: expected \"$\" before a group of the expression, got \"$\"; \"$$\" stands for one"
                                + " \"$\"",
                        "/path/to: expected \"$\" before a group of the expression, got \"${y}\"; \"$$\" stands for one"
                                + " \"$\"",
                        "/method: expected a method other than CONNECT and TRACE, got \"CONNECT\"",
                        "/host: expected a host such as \"orders.internal\" or \"orders.internal:8443\", got \"a b\"",
                        "/query/sets: unknown field; did you mean \"set\"?");
        assertThat(reading.problems("{'path': {'prefix': '/a', 'to': '/../b'}}"))
                .containsExactly("/path/to: expected a path: the path holds a dot segment");
        assertThat(reading.problems("{'path': {'regex': '(?=a)', 'to': '/b?c'}}"))
                .anySatisfy(problem -> assertThat(problem).startsWith("/path/regex: "))
                .contains("/path/to: expected a path: the path holds a character that must be percent-encoded");
        assertThat(reading.problems("{'path': {'template': '/a?{var.x}'}}"))
                .containsExactly("/path/template: expected a path, percent-encoded, without empty or dot segments");
        assertThat(reading.problems("{'path': {'prefix': '/a', 'template': '/b'}}"))
                .contains("/path: expected one of \"prefix\", \"regex\" and \"template\", got 2");
    }
}
