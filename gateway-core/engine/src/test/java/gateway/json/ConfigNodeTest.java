package gateway.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigNodeTest {
    private enum Colour {
        LIGHT_RED,
        BLUE
    }

    @Test
    void reads_values_of_every_kind() {
        var node = ConfigNode.parse("""
                {"text": "a", "flag": true, "number": 7, "wait": "1500ms", "size": "64KiB", "at": "2027-01-01T00:00:00Z",
                 "colour": "light-red", "list": ["x", "y"], "map": {"k": "v"}}""");

        assertThat(node.field("text").requiredText()).isEqualTo("a");
        assertThat(node.field("flag").bool(false)).isTrue();
        assertThat(node.field("number").integer(1, 10)).isEqualTo(7);
        assertThat(node.field("wait").duration(Duration.ZERO, Duration.ofSeconds(2)))
                .isEqualTo(Duration.ofMillis(1500));
        assertThat(node.field("size").size(0, 1 << 20)).isEqualTo(65_536);
        assertThat(node.field("at").optionalInstant()).contains(Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(node.field("colour").choice(Colour.BLUE)).isEqualTo(Colour.LIGHT_RED);
        assertThat(node.field("list").list(ConfigNode::text)).containsExactly("x", "y");
        assertThat(node.field("map").map(ConfigNode::text)).containsEntry("k", "v");
        node.refuseUnknownFields();
        assertThat(node.problems()).isEmpty();
    }

    @Test
    void tells_what_stands_where_something_else_is_expected() {
        var node = ConfigNode.parse("""
                {"path": "a\\"b", "long": "%s", "list": [1, 2], "key": "hunter2", "null": null}""".formatted("x".repeat(100)));
        node.field("key").noteSecret();

        for (String each : List.of("path", "long", "list", "key", "null", "none"))
            node.field(each).expected("another one");

        assertThat(node.problems().stream().map(ConfigProblem::toString))
                .containsExactly(
                        "/path: expected another one, got \"a\\\"b\"",
                        "/long: expected another one, got \"" + "x".repeat(79) + "…",
                        "/list: expected another one, got an array",
                        "/key: expected another one, got a secret",
                        "/null: expected another one, got nothing",
                        "/none: expected another one, got nothing");
    }

    @Test
    void names_every_problem_at_once_under_its_pointer() {
        var node = ConfigNode.parse(
                "{\"requests\": 0, \"per\": \"soon\", \"list\": [1, {}], \"a/b~c\": {\"x\": 1}, \"colour\": \"red\"}");

        node.field("requests").integer(1, 1_000_000);
        node.field("per").duration(Duration.ZERO, Duration.ofDays(1));
        node.field("list").list(ConfigNode::requiredText);
        node.field("a/b~c").field("x").bool(true);
        node.field("colour").choice(Colour.BLUE);
        node.field("name").requiredText();

        assertThat(node.problems().stream().map(ConfigProblem::toString))
                .containsExactly(
                        "/requests: expected 1 to 1000000, got 0",
                        "/per: expected a duration such as \"500ms\", \"1s\", \"15m\" or \"30d\", got \"soon\"",
                        "/list/0: expected text, got 1",
                        "/list/1: expected text, got {}",
                        "/a~1b~0c/x: expected true or false, got 1",
                        "/colour: expected one of \"light-red\", \"blue\", got \"red\"",
                        "/name: expected text, got nothing");
        assertThatThrownBy(node::throwIfInvalid).isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void suggests_a_known_field_for_an_unknown_one() {
        var node = ConfigNode.parse("{\"polcies\": [], \"zebra\": 1}");
        node.field("policies");

        node.refuseUnknownFields();

        assertThat(node.problems().stream().map(ConfigProblem::toString))
                .containsExactly("/polcies: unknown field; did you mean \"policies\"?", "/zebra: unknown field");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "{", "[1,]", "{\"a\":1,\"a\":2}", "{} {}", "nul", "{'a':1}", "01", "\"\u0001\"", "NaN"})
    void refuses_what_is_not_one_strict_json_value(String text) {
        assertThatThrownBy(() -> ConfigNode.parse(text)).isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void numbers_that_no_memory_has_are_no_json_here() {
        byte[] content = "{\"a\": 1e99999999999}".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> Json.parse(content, taken -> {}))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("exponent");
    }

    @Test
    void refuses_deep_nesting_without_exhausting_the_stack() {
        assertThatThrownBy(() -> Json.parse("[".repeat(100_000))).isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void null_is_no_unknown_field_where_another_says_that_it_is_not_looked_at() {
        var node = ConfigNode.parse("{\"form\": \"html\", \"body\": null, \"page\": null, \"pag\": null}");

        node.onlyWhere("body", "form", false, "json").apart("form", "page");
        node.field("form").requiredText();
        node.refuseUnknownFields();

        assertThat(node.problems()).extracting(ConfigProblem::pointer).containsExactly("/pag");
    }

    @Test
    void treats_null_as_absent() {
        var node = ConfigNode.parse("{\"a\": null}");

        assertThat(node.field("a").isPresent()).isFalse();
        assertThat(node.field("a").text("fallback")).isEqualTo("fallback");
        assertThat(node.problems()).isEmpty();
    }

    @Property(tries = 2_000)
    void never_throws_anything_but_a_refusal_for_any_text(@ForAll String text) {
        try {
            Json.parse(text);
        } catch (InvalidConfigException e) {
            assertThat(e.problems()).hasSize(1);
        }
    }

    @Property(tries = 500)
    void a_duration_reads_back_as_it_was_written(
            @ForAll @net.jqwik.api.constraints.LongRange(min = 0, max = 100_000_000_000L) long millis) {
        var duration = Duration.ofMillis(millis);

        assertThat(Durations.parse(Durations.text(duration))).contains(duration);
    }

    @Test
    void a_size_needs_a_known_unit() {
        assertThat(Sizes.parse("2MiB")).contains(2L << 20);
        assertThat(List.of("2MB", "2", "-1KiB", "1.5KiB", "").stream()
                        .map(Sizes::parse)
                        .filter(java.util.Optional::isPresent))
                .isEmpty();
    }

    @Test
    void a_syntax_error_tells_line_and_column_and_nothing_of_the_parser() {
        assertThatThrownBy(() -> Json.parse("{\"a\": [1,\n 2"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("at line 2, column")
                .message()
                .doesNotContain("Source")
                .doesNotContain("REDACTED");
    }
}
