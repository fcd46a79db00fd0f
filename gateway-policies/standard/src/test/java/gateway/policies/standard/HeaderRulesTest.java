package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.key.ApiKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                                + " request.path, request.host, request.scheme, client.ip, key.id, key.name, api.id,"
                                + " request.header.<name>, key.metadata.<name>, fact:/<pointer>",
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
