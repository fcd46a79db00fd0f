package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class HeaderTemplateTest {
    @Property
    void any_text_stands_for_itself_when_its_opening_braces_are_doubled(
            @ForAll @StringLength(min = 1, max = 12) @Chars({'{', '}', 'a', '.'}) String text) {
        assertThat(rendered(text.replace("{", "{{"), Exchanges.get("/").make())).isEqualTo(text);
    }

    @Test
    void doubled_braces_stand_for_one_beside_placeholders_too() {
        assertThat(rendered("{{{request.method}}", Exchanges.get("/").make())).isEqualTo("{GET}");
        assertThat(rendered("{request.method}{{x}", Exchanges.get("/").make())).isEqualTo("GET{x}");
    }

    @Test
    void a_header_that_came_twice_gives_its_first_value() {
        var exchange = Exchanges.get("/").with("X-A", "1").with("X-A", "2").make();

        assertThat(rendered("<{request.header.x-a}>", exchange)).isEqualTo("<1>");
    }

    @Test
    void the_name_of_a_header_or_of_metadata_is_not_guessed() {
        assertThat(problem("{request.header.}")).contains("unknown placeholder \"{request.header.}\"");
        assertThat(problem("{request.header.a b}")).contains("unknown placeholder \"{request.header.a b}\"");
        assertThat(problem("{key.metadata.}")).contains("unknown placeholder \"{key.metadata.}\"");
        assertThat(problem("{}")).contains("unknown placeholder \"{}\"");
    }

    @Test
    void a_placeholder_that_does_not_end_is_named_by_where_it_begins() {
        assertThat(problem("{{ab{key.id}{key")).contains("after \"{\" at character 13");
    }

    private static String rendered(String template, Exchange exchange) {
        var node = ConfigNode.parse('"' + template + '"');
        HeaderTemplate read = HeaderTemplate.read(node);
        assertThat(node.problems()).isEmpty();
        return read.render(exchange);
    }

    private static String problem(String template) {
        var node = ConfigNode.parse('"' + template + '"');
        HeaderTemplate.read(node);
        assertThat(node.problems()).hasSize(1);
        return node.problems().stream().map(ConfigProblem::toString).findFirst().orElseThrow();
    }
}
