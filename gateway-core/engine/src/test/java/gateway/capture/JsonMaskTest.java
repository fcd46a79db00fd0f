package gateway.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonMaskTest {
    private static final JsonMask MASK = JsonMask.of(List.of("$.password", "$.card.number", "$.items[*].secret"));

    @Test
    void hides_the_values_at_its_paths_and_nothing_else() {
        assertThat(masked("""
                {"user": "bob", "password": "s3cret", "card": {"number": "4111", "holder": "Bob"},
                "items": [{"id": 1, "secret": "s3cret"}, {"secret": 7, "id": -2.50e+3}], "secret": null, "n": [true, []]}
                """)).isEqualTo("""
                {"user":"bob","password":"***","card":{"number":"***","holder":"Bob"},\
                "items":[{"id":1,"secret":"***"},{"secret":"***","id":-2.50e+3}],"secret":null,"n":[true,[]]}""");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"pass\\u0077ord\": \"s3cret\"}",
                "{\"\\u0070\\u0061\\u0073\\u0073\\u0077\\u006f\\u0072\\u0064\": \"s3cret\"}",
                "{\"password\": \"first-s3cret\", \"password\": \"s3cret\"}",
                "{\"Password\": \"s3cret\", \"PASSWORD\": \"s3cret\"}",
                "{\"pa\u017fsword\": \"s3cret\"}",
                "{\"password\": {\"plain\": \"s3cret\", \"more\": [\"s3cret\", {\"a\": \"s3cret\"}]}}",
                "{\"password\": [\"s3cret\", [[\"s3cret\"]]]}",
                "{\"password\"\n\t:\r\n \"s3cret\"}",
                "{\"password\": \"\\\"s3cret\\\\\"}",
                "{\"card\": {\"number\": {\"s3cret\": \"s3cret\"}}}",
                "{\"items\": [[], {\"x\": {}}, {\"secret\": \"s3cret\"}]}",
                "{\"items\": {\"a\": {\"secret\": \"s3cret\"}}}",
                "\ufeff{\"password\": \"s3cret\"}",
                "{\"a\": 1}\n{\"password\": \"s3cret\"}\n",
                "{\"card\": 1, \"card\": {\"number\": \"s3cret\"}}",
            })
    void hides_what_is_written_to_slip_past(String hostile) {
        assertThat(masked(hostile)).contains("***").doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password=s3cret",
                "{password: \"s3cret\"}",
                "{'password': 's3cret'}",
                "{\"password\": \"s3cret\"} trailing s3cret",
                "/* {} */ {\"a\": \"s3cret\"}",
                "{\"a\": 1,, \"password\": \"s3cret\"}",
                "{\"a\": \"s3cret\"",
                "{\"a\": NaN, \"password\": \"s3cret\"}",
                "",
                "<password>s3cret</password>",
            })
    void leaves_out_what_it_cannot_read(String text) {
        assertThat(MASK.mask(text, false)).isEmpty();
    }

    @Test
    void leaves_out_what_is_nested_too_deep() {
        assertThat(MASK.mask("[".repeat(10_000), true)).isEmpty();
        assertThat(MASK.mask("{\"a\":".repeat(10_000), true)).isEmpty();
    }

    @Test
    void of_text_that_breaks_off_anywhere_nothing_hidden_shows() {
        String whole = """
                {"user": "böb \\u00e9", "n": 123456, "pass\\u0077ord": "s3cret-A", "ok": true, "card": {"number": 411111, \
                "x": [1, {"number": "shown"}]}, "items": [{"secret": ["s3cret-B", "s3cret-C"]}, {"secret": "s3cret-D"}]}""";
        String all = masked(whole);

        for (int length = 0; length < whole.length(); length++) {
            String part = whole.substring(0, length);

            assertThat(MASK.mask(part, true))
                    .as("%s", part)
                    .hasValueSatisfying(shown -> assertThat(all)
                            .startsWith(shown)
                            .doesNotContain("s3cret")
                            .doesNotContain("4111"));
        }
    }

    @Test
    void a_number_or_word_that_may_go_on_is_not_shown() {
        assertThat(MASK.mask("{\"pin\": 12", true)).contains("{");
        assertThat(MASK.mask("{\"pin\": [tru", true)).contains("{\"pin\":[");
        assertThat(MASK.mask("[12, 34, 56", true)).contains("[12,34");
        assertThat(MASK.mask("12", true)).contains("");
        assertThat(MASK.mask("12", false)).contains("12");
    }

    @Test
    void whatever_is_changed_in_a_body_the_secret_shows_only_under_a_changed_name() {
        String body = "{\"user\":\"bob\",\"password\":\"s3cret\",\"card\":{\"number\":\"s3cret\"}}";
        var random = new Random(42);
        for (int round = 0; round < 20_000; round++) {
            var changed = new StringBuilder(body);
            changed.setCharAt(random.nextInt(body.length()), "\"\\{}[]:, \u0000a".charAt(random.nextInt(11)));

            Optional<String> shown = MASK.mask(changed.toString(), round % 2 == 0);

            if (changed.indexOf("\"password\":\"s3cret\"") >= 0
                    && changed.indexOf("\"card\":{\"number\":\"s3cret\"") >= 0) {
                assertThat(shown.orElse("")).as("%s", changed).doesNotContain("s3cret");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            $..token              | {"a":[{"b":{"token":1,"x":2}}],"token":3}  | {"a":[{"b":{"token":"***","x":2}}],"token":"***"}
            $..a.b                | {"a":{"b":1},"x":[{"a":{"b":2,"c":3}}]}    | {"a":{"b":"***"},"x":[{"a":{"b":"***","c":3}}]}
            $..a..b               | {"a":{"x":{"a":{"b":1}}},"b":2}            | {"a":{"x":{"a":{"b":"***"}}},"b":2}
            $['card no']["x"]     | {"card no":{"x":1,"y":2}}                  | {"card no":{"x":"***","y":2}}
            $[*].pin              | [{"pin":1},{"pin":2,"a":3}]                | [{"pin":"***"},{"pin":"***","a":3}]
            $[1]                  | [1,2,3]                                    | [1,"***",3]
            $.a[0][1]             | {"a":[[1,2],[3,4]]}                        | {"a":[[1,"***"],[3,4]]}
            $.*                   | {"a":{"b":1},"c":2}                        | {"a":"***","c":"***"}
            $.*.b                 | {"a":{"b":1,"c":2},"b":3}                  | {"a":{"b":"***","c":2},"b":3}
            $.a                   | 7                                          | 7
            """)
    void follows_every_kind_of_step(String path, String json, String expected) {
        assertThat(JsonMask.of(List.of(path)).mask(json, false)).contains(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            password     | expected "$" at character 1
            $            | expected a step such as ".password" at character 2
            $.           | expected a name at character 3
            $password    | expected "." or "[" at character 2
            $.a[         | expected "*", an index or a quoted name at character 5
            $.a[1:2]     | expected "]" at character 6
            $.a[?(@.b)]  | expected "*", an index or a quoted name at character 5
            $['a         | expected ' at character 5
            $.a b        | expected "." or "[" at character 4
            $..          | expected a name at character 4
            """)
    void says_what_is_wrong_with_a_path(String path, String problem) {
        assertThat(JsonMask.problem(path)).contains(problem);
    }

    private static String masked(String text) {
        return MASK.mask(text, false).orElseThrow();
    }
}
