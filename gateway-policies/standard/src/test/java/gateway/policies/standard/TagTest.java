package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.json.Json;
import gateway.policy.BodyUse;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;

final class TagTest {
    private final Reading reading = new Reading(new Tag.Type());

    @Test
    void leaves_texts_for_others_and_in_the_record() {
        Exchange exchange = Exchanges.get("/?a=1").make();
        exchange.found("claims", Json.parse("{\"tid\": \"acme\"}"));

        reading.policy("{'set': {'var.tenant': '{claim:/tid}', 'var.both': '{var.tenant}/{request.query.a}',"
                        + " 'var.none': '{claim:/none}'}, 'record': ['var.tenant', 'var.none']}")
                .stop(exchange);

        assertThat(exchange.fact(JsonPointer.compile("/var")))
                .contains(Json.parse("{\"tenant\": \"acme\", \"both\": \"acme/1\", \"none\": \"\"}"));
        assertThat(exchange.labels()).containsExactly(entry("tenant", "acme"));
    }

    @Test
    void holds_no_body_that_it_does_not_look_at() {
        assertThat(reading.spec("{'set': {'var.a': '{request.method}'}}").bodyUse())
                .isEqualTo(BodyUse.NONE);
    }

    @Test
    void keeps_no_more_than_the_beginning_of_what_is_long() {
        Exchange exchange = Exchanges.get("/").with("X-A", "a".repeat(5_000)).make();

        reading.policy("{'set': {'var.a': '{request.header.x-a}'}, 'record': ['var.a']}")
                .stop(exchange);

        assertThat(exchange.labels().get("a")).hasSize(1024);
        assertThat(exchange.fact(JsonPointer.compile("/var/a")).orElseThrow().stringValue())
                .hasSize(1024);
    }

    @Test
    void cuts_no_character_in_two() {
        Exchange exchange = Exchanges.get("/").make();
        exchange.found("claims", Json.parse("{\"name\": \"" + "a".repeat(1_023) + "🙂b\"}"));

        reading.policy("{'set': {'var.a': '{claim:/name}', 'var.b': 'x{claim:/name}'}}")
                .stop(exchange);

        assertThat(exchange.fact(JsonPointer.compile("/var/a")).orElseThrow().stringValue())
                .isEqualTo("a".repeat(1_023));
        assertThat(exchange.fact(JsonPointer.compile("/var/b")).orElseThrow().stringValue())
                .isEqualTo("x" + "a".repeat(1_023));
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{}")).containsExactly("/set: expected 1 to 32 variables, got 0");
        assertThat(reading.problems("{'set': {'tenant': 'a', 'var.a b': 'b', 'var.c': '{var.}'}, 'record': ['var.d']}"))
                .anySatisfy(problem -> assertThat(problem).startsWith("/set/var.c: unknown placeholder \"{var.}\""))
                .contains(
                        "/set/tenant: expected a name such as \"var.tenant\", got \"tenant\"",
                        "/set/var.a b: expected a name such as \"var.tenant\", got \"var.a b\"",
                        "/record: expected variables that are set here, got \"var.d\"");
    }
}
