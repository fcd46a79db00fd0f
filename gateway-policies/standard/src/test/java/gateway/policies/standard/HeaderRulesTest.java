package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.ClientCertificate;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.key.ApiKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.security.auth.x500.X500Principal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class HeaderRulesTest {
    private final Reading reading = new Reading(new HeaderRules.Type());

    @Test
    void sets_adds_and_removes_headers_of_the_request() {
        var exchange = Exchanges.get("/")
                .with("X-Debug", "1")
                .with("X-Debug", "2")
                .with("X-Plan", "free")
                .with("X-Tag", "a")
                .make();

        reading.policy("{'request': {'set': {'X-Plan': 'gold'}, 'add': {'X-Tag': 'b'}, 'remove': ['x-debug']}}")
                .stop(exchange);

        assertThat(exchange.headers()).hasToString("[X-Tag, a, X-Plan, gold, X-Tag, b]");
    }

    @Test
    void changes_the_response_on_its_way_back() {
        Response upstream = Response.of(200).with("Server", "upstream/1").with("X-A", "1");

        Response response = reading.policy(
                        "{'response': {'set': {'X-A': '2', 'X-B': '{client.ip}'}, 'remove': ['Server']}}")
                .comingBack(Exchanges.get("/").make(), upstream);

        assertThat(response.headers()).hasToString("[X-A, 2, X-B, 192.0.2.1]");
    }

    @Test
    void knows_the_request_the_caller_and_the_api() {
        var exchange = Exchanges.get("/orders/a%20b?x=1")
                .with("X-In", "in")
                .calledBy(caller("Alice", "gold"))
                .make();

        String value = rendered(
                "{request.id} {request.method} {request.path} {request.host} {request.scheme} {request.header.x-in} "
                        + "{client.ip} {key.id} {key.name} {key.metadata.plan} {api.id}",
                exchange);

        assertThat(value)
                .isEqualTo("request-1 GET /orders/a%20b api.example.com http in 192.0.2.1 key_1 Alice gold orders");
    }

    @Test
    void tells_of_the_answer_in_answers_and_of_nothing_in_requests() {
        var exchange = Exchanges.get("/").make();
        var policy = reading.policy("""
                {'request': {'set': {'X-Early': '{response.status}{response.header.server}'}},
                 'response': {'set': {'X-Seen': '{response.status} of {response.header.server}'}, 'remove': ['Server']}}""");

        Response response = policy.comingBack(exchange, Response.of(404).with("Server", "a"));

        assertThat(exchange.headers()).hasToString("[]");
        assertThat(response.headers()).hasToString("[X-Seen, 404 of a]");
    }

    @Test
    void knows_the_certificate_of_the_client() {
        var certificate = new ClientCertificate("ab".repeat(32), new X500Principal("CN=alice, O=Example"));

        assertThat(rendered(
                        "{certificate.subject} {certificate.sha256}",
                        Exchanges.get("/").showing(certificate).make()))
                .isEqualTo("CN=alice,O=Example " + "ab".repeat(32));
        assertThat(rendered("<{certificate.subject}>", Exchanges.get("/").make()))
                .isEqualTo("<>");
    }

    @Test
    void knows_the_time_and_makes_a_uuid_each_time() {
        long before = Instant.now().getEpochSecond();

        assertThat(Long.parseLong(rendered("{time.unix}", Exchanges.get("/").make())))
                .isBetween(before, Instant.now().getEpochSecond());
        List<String> two = List.of(
                rendered("{random.uuid} {random.uuid}", Exchanges.get("/").make())
                        .split(" ", -1));
        assertThat(UUID.fromString(two.getFirst()).version()).isEqualTo(4);
        assertThat(two.getLast()).isNotEqualTo(two.getFirst());
    }

    @Test
    void leaves_places_of_the_body_to_tag() {
        assertThat(reading.problems("{'request': {'set': {'X-A': '{request.body:/a}'}}}"))
                .containsExactly("/request/set/X-A: expected no place of the body, which nobody holds here:"
                        + " let \"tag\" leave it in a variable");
    }

    @Test
    void keeps_doubled_braces_as_one() {
        assertThat(rendered("{{key.id} }", Exchanges.get("/").make())).isEqualTo("{key.id} }");
    }

    @Test
    void writes_no_header_without_value_but_takes_out_what_the_client_sent() {
        var exchange = Exchanges.get("/").with("X-Plan", "forged").make();

        reading.policy("{'request': {'set': {'X-Plan': '{key.metadata.plan}'}, 'add': {'X-Key': '{key.id}'}}}")
                .stop(exchange);

        assertThat(exchange.headers()).hasToString("[]");
    }

    @Test
    void leaves_a_missing_part_empty() {
        assertThat(rendered("<{key.name}>", Exchanges.get("/").make())).isEqualTo("<>");
    }

    @Test
    void renders_values_from_the_headers_as_they_came() {
        var exchange = Exchanges.get("/").with("A", "1").with("B", "2").make();

        reading.policy("{'request': {'set': {'A': '{request.header.B}', 'B': '{request.header.A}'}, 'remove': ['A']}}")
                .stop(exchange);

        assertThat(exchange.headers()).hasToString("[A, 2, B, 1]");
    }

    @Test
    void replaces_what_may_not_stand_in_a_header() {
        var exchange = Exchanges.get("/")
                .calledBy(caller("a\r\nX-Admin: 1\0日é", "gold"))
                .make();

        assertThat(rendered("{key.name}", exchange)).isEqualTo("a??X-Admin: 1??é");
    }

    @Test
    void renames_and_removes_by_how_names_begin_and_by_cookie() {
        var exchange = Exchanges.get("/")
                .with("X-Old", "1")
                .with("X-Old", "2")
                .with("X-New", "forged")
                .with("X-Internal-A", "a")
                .with("x-internal-b", "b")
                .with("X-Inter", "c")
                .with("Content-Length", "0")
                .with("Cache-Control", "no-cache")
                .make();

        reading.policy("{'request': {'rename': {'x-old': 'X-New', 'X-None': 'X-Inter'},"
                        + " 'remove': ['X-Internal-*', 'C*']}}")
                .stop(exchange);

        assertThat(exchange.headers()).hasToString("[X-Inter, c, Content-Length, 0, X-New, 1, X-New, 2]");
    }

    @Test
    void takes_one_cookie_out_of_a_request_and_leaves_the_others() {
        var exchange = Exchanges.get("/").with("Cookie", "a=1; sid=2; b=3").make();

        reading.policy("{'request': {'removeCookie': ['sid']}}").stop(exchange);

        assertThat(exchange.headers()).hasToString("[Cookie, a=1; b=3]");
    }

    @Test
    void sets_and_removes_cookies_of_answers() {
        Response upstream = Response.of(200);
        upstream.headers().add("Set-Cookie", "sid=old; Path=/");
        upstream.headers().add("Set-Cookie", "debug=1");
        upstream.headers().add("Set-Cookie", "other=2");

        Response response = reading.policy("{'response': {'removeCookie': ['debug'], 'setCookie': ["
                        + "{'name': 'sid', 'value': 'v-{request.query.a}', 'maxAge': '1h', 'sameSite': 'strict'},"
                        + "{'name': 'gone', 'value': '', 'maxAge': '0s', 'secure': false, 'httpOnly': false,"
                        + " 'domain': 'example.com', 'path': '/a'}]}}")
                .comingBack(Exchanges.get("/?a=b%3B%20c%0d%0a").make(), upstream);

        assertThat(response.headers().all("Set-Cookie"))
                .containsExactly(
                        "other=2",
                        "sid=v-b%3B%20c%0D%0A; Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Strict",
                        "gone=; Path=/a; Domain=example.com; Max-Age=0; SameSite=Lax");
    }

    @Test
    void cookies_whose_names_promise_something_keep_it() {
        assertThat(reading.problems("{'response': {'setCookie': [{'name': '__Host-a', 'domain': 'example.com'},"
                        + " {'name': '__host-b', 'path': '/x'}, {'name': '__Secure-c', 'secure': false},"
                        + " {'name': '__Host-d'}, {'name': '__Secure-e', 'domain': 'example.com', 'path': '/x'}]}}"))
                .containsExactly(
                        "/response/setCookie/0/domain: expected none with a name that begins with \"__Host-\", got \"example.com\"",
                        "/response/setCookie/1/path: expected \"/\" with a name that begins with \"__Host-\", got \"/x\"",
                        "/response/setCookie/2/secure: expected true with this name, as browsers do, got false");
    }

    @Test
    void names_what_is_wrong_with_cookies_and_patterns() {
        assertThat(reading.problems("{'request': {'remove': ['*', 'X-*-A*'], 'setCookie': []},"
                        + " 'response': {'setCookie': [{'name': 'a b', 'value': 'x;y', 'path': '/ ', 'secure': false,"
                        + " 'sameSite': 'none'}], 'rename': {'Host': 'X-Host', 'X-A': 'Connection'}}}"))
                .containsExactlyInAnyOrder(
                        "/request/remove/0: expected a name, or the beginning of one before \"*\", got \"*\"",
                        "/request/remove/1: expected a name, or the beginning of one before \"*\", got \"X-*-A*\"",
                        "/request/setCookie: unknown field",
                        "/response/setCookie/0/name: expected a cookie's name, got \"a b\"",
                        "/response/setCookie/0/value: expected only characters that may stand in the value of a cookie",
                        "/response/setCookie/0/path: expected text without blanks and \";\", got \"/ \"",
                        "/response/setCookie/0/secure: expected true with \"sameSite\" \"none\", as browsers do, got false",
                        "/response/rename/Host: the gateway writes Host itself",
                        "/response/rename/X-A: the gateway writes Connection itself");
    }

    @Property
    void never_splits_a_message(@ForAll String name) {
        var exchange = Exchanges.get("/").calledBy(caller(name, "gold")).make();

        assertThat(rendered("n={key.name}", exchange)).doesNotContainPattern("[\\r\\n\\x00]");
    }

    @Test
    void names_every_problem() {
        assertThat(
                        reading.problems(
                                "{'request': {'set': {'Host': 'a', 'X Y': 'b', 'X-A': '{key.nam}', 'X-B': '{key.id'},"
                                        + "'remove': ['Transfer-Encoding', ''], 'ad': {}},"
                                        + "'response': {'add': {'Connection': 'close', 'X-C': 'a\\nb', 'X-D': '{secret}', 'X-E': 5}}}"))
                .containsExactlyInAnyOrder(
                        "/request/set/Host: the gateway writes Host itself",
                        "/request/set/X Y: expected a header name, got \"X Y\"",
                        "/request/set/X-A: unknown placeholder \"{key.nam}\"; did you mean \"{key.name}\"?",
                        "/request/set/X-B: expected \"}\" after \"{\" at character 1; \"{{\" stands for one brace",
                        "/request/remove/0: the gateway writes Transfer-Encoding itself",
                        "/request/remove/1: expected text, got \"\"",
                        "/request/ad: unknown field; did you mean \"add\"?",
                        "/response/add/Connection: the gateway writes Connection itself",
                        "/response/add/X-C: expected only characters that may stand in a header",
                        "/response/add/X-D: unknown placeholder \"{secret}\"; known are request.id, request.method,"
                                + " request.path, request.host, request.scheme, response.status, client.ip,"
                                + " certificate.subject, certificate.sha256, key.id, key.name, api.id, time.unix,"
                                + " random.uuid, request.header.<name>, request.query.<name>, request.cookie.<name>, request.path.<name>,"
                                + " response.header.<name>, key.metadata.<name>, claim:/<pointer>, fact:/<pointer>, var.<name>",
                        "/response/add/X-E: expected text, got 5");
        assertThat(reading.problems("{}")).containsExactly("/: expected \"request\" or \"response\"");
    }

    private String rendered(String template, Exchange exchange) {
        reading.policy("{'request': {'set': {'X-Out': '" + template + "'}}}").stop(exchange);
        return exchange.headers().first("X-Out").orElseThrow();
    }

    private static ApiKey caller(String name, String plan) {
        return new ApiKey(
                "key_1",
                name,
                true,
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of("plan", plan));
    }
}
