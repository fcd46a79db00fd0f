package gateway.policies.message.json;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentLimitsTest {
    private final PolicyRun small = PolicyRun.of("""
            {"type": "content-limits",
             "json": {"depth": 3, "members": 2, "elements": 3, "name": 4, "text": 5, "number": 6, "tokens": 14}}""");
    private final PolicyRun usual = PolicyRun.of("{\"type\": \"content-limits\"}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " [] ",
                "null",
                "-1",
                "\"abcde\"",
                "[[[]]]",
                "[1,2,3]",
                "{\"a\":1,\"b\":2}",
                "{\"abcd\":\"ü€😀.\"}",
                "[1,2,[1,2,3]]",
                "[-12345,1.2345]"
            })
    void lets_what_is_within_its_bounds_pass_as_it_is(String json) {
        assertThat(small.post(json).status()).isEqualTo(200);
        assertThat(small.arrived()).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    [[[[]]]]                   | /0/0/0 | at most 3 levels
                    {"a":{"b":{"c":{}}}}       | /a/b/c | at most 3 levels
                    {"a":1,"b":2,"c":3}        | /c     | at most 2 members
                    [1,2,3,4]                  | /3     | at most 3 elements
                    [[],{"a":[1,2,3,4]}]       | /1/a/3 | at most 3 elements
                    [{"abcde":1}]              | /0     | names of at most 4 characters
                    ["abcdef"]                 | /0     | texts of at most 5 characters
                    ["\\u0061bcdef"]           | /0     | texts of at most 5 characters
                    [1234567]                  | /0     | numbers of at most 6 characters
                    [1,2,-1.2345]              | /2     | numbers of at most 6 characters
                    """)
    void refuses_what_is_over_a_bound_and_says_where(String json, String pointer, String expected) {
        assertThat(told(small.post(json))).isEqualTo("400 content-too-complex " + pointer + ": expected " + expected);
        assertThat(small.arrived()).isEmpty();
    }

    @Test
    void counts_all_names_values_and_brackets() {
        assertThat(small.post("[[1,2,3],[1,2,3],[]]").status()).isEqualTo(200);

        assertThat(told(small.post("[[1,2,3],[1,2,3],[1]]")))
                .startsWith("400 content-too-complex ")
                .endsWith(": expected at most 14 names, values and brackets");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[1,]",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}",
                "NaN",
                "[01]",
                "{} {}",
                "\uFEFF\uFEFF{}",
                "{'a':1}",
                "[1] // x",
                "  ",
                "\"\t\""
            })
    void refuses_what_is_no_json(String json) {
        assertThat(told(usual.post(json))).isEqualTo("400 malformed-content");
        assertThat(usual.arrived()).isEmpty();
    }

    @Test
    void tells_of_a_name_that_comes_twice_where_it_does() {
        assertThat(PolicyRun.text(usual.post("{\"a\":1,\n \"a\":2}")))
                .contains("The body is not valid JSON at line 2, column 5: a name that its object has already");
    }

    @Test
    void drops_no_mark_but_takes_one_at_the_begin() {
        assertThat(usual.post("\uFEFF{}").status()).isEqualTo(200);
        assertThat(usual.arrived()).isEqualTo("\uFEFF{}");
    }

    @Test
    void takes_utf_8_only() {
        byte[] overlong = "{\"a\":\"__\"}".getBytes(UTF_8);
        overlong[6] = (byte) 0xc0;
        overlong[7] = (byte) 0xaf;
        for (byte[] each :
                new byte[][] {"{}".getBytes(UTF_16), overlong, {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'}}) {
            assertThat(told(usual.send(json().body(each)))).isEqualTo("400 malformed-content");
        }
        for (String charset : new String[] {"utf-16", "\"UTF-7\"", "iso-8859-1", "utf-8; charset=utf-16"}) {
            var request = Exchanges.of("POST", "/").with("Content-Type", "application/json; charset=" + charset);
            assertThat(told(usual.send(request.body("{}")))).isEqualTo("415 unsupported-media-type");
        }
    }

    @Test
    void a_million_brackets_are_refused_at_the_first_too_many() {
        assertThat(told(usual.post("[".repeat(1_000_000)))).startsWith("400 content-too-complex /0/0");
        assertThat(told(usual.post("{\"a\":".repeat(100_000)))).startsWith("400 content-too-complex /a/a");
        assertThat(told(usual.post("[" + "9".repeat(1_000_000)))).startsWith("400 content-too-complex");
        assertThat(told(usual.post("[\"" + "x".repeat(1_000_000)))).startsWith("400 content-too-complex");
        assertThat(told(usual.post("{\"" + "x".repeat(1_000_000)))).startsWith("400 content-too-complex");
    }

    @Test
    void other_types_are_refused_unless_they_may_pass() {
        String form = "application/x-www-form-urlencoded";
        var strict = PolicyRun.of("""
                {"type": "content-limits", "contentTypes": ["application/problem+json", "text/json"]}""");
        assertThat(told(strict.send(
                        Exchanges.of("POST", "/").with("Content-Type", form).body("["))))
                .isEqualTo("415 unsupported-media-type");
        assertThat(told(strict.send(Exchanges.of("POST", "/").body("{}")))).isEqualTo("415 unsupported-media-type");
        assertThat(strict.send(Exchanges.get("/")).status()).isEqualTo(200);
        var lax = PolicyRun.of("{\"type\": \"content-limits\", \"otherTypes\": \"pass\"}");
        assertThat(lax.send(Exchanges.of("POST", "/").with("Content-Type", form).body("["))
                        .status())
                .isEqualTo(200);
        for (String type : new String[] {"application/problem+json", "Text/JSON ; charset=UTF-8"}) {
            assertThat(strict.send(Exchanges.of("POST", "/")
                                    .with("Content-Type", type)
                                    .body("{}"))
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json|text/plain",
                "text/plain|application/json",
                "application/json|application/json",
                "text/plain, application/json; charset=utf-8"
            })
    void a_type_that_is_said_twice_is_refused_though_others_may_pass(String types) {
        var lax = PolicyRun.of("{\"type\": \"content-limits\", \"on\": \"both\", \"otherTypes\": \"pass\"}");
        var request = Exchanges.of("POST", "/");
        var answer = Response.of(200, "text/html", "[".getBytes(UTF_8));
        answer.headers().remove("Content-Type");
        for (String each : types.split("\\|", -1)) {
            request.with("Content-Type", each);
            answer.headers().add("Content-Type", each);
        }

        assertThat(told(lax.send(request.body("[")))).isEqualTo("415 unsupported-media-type");
        assertThat(told(lax.answering(answer).send(Exchanges.get("/")))).isEqualTo("502 response-refused");
    }

    @Test
    void other_types_that_are_said_twice_pass_as_one_does() {
        var lax = PolicyRun.of("{\"type\": \"content-limits\", \"otherTypes\": \"pass\"}");

        assertThat(lax.send(Exchanges.of("POST", "/")
                                .with("Content-Type", "text/plain")
                                .with("Content-Type", "text/html, text/plain")
                                .body("["))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void xml_in_utf_16_keeps_to_the_bounds_and_says_its_encoding_once() {
        var run = PolicyRun.of("{\"type\": \"content-limits\", \"xml\": {\"depth\": 2}}");
        String declared = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a><b/></a>";

        assertThat(told(run.send(xml("").body(declared.getBytes(UTF_16))))).isEqualTo("200");
        assertThat(told(run.send(xml("").body("<a><b><c/></b></a>".getBytes(UTF_16)))))
                .startsWith("400 content-too-complex");
        assertThat(told(run.send(xml("; charset=utf-8").body(declared.getBytes(UTF_16)))))
                .isEqualTo("400 malformed-content");
    }

    private static Exchanges xml(String charset) {
        return Exchanges.of("POST", "/").with("Content-Type", "application/xml" + charset);
    }

    @Test
    void a_body_may_be_required() {
        var run = PolicyRun.of("{\"type\": \"content-limits\", \"required\": true}");

        assertThat(told(run.send(json().body("")))).isEqualTo("400 malformed-content");
        assertThat(run.post("{}").status()).isEqualTo(200);
    }

    @Test
    void answers_over_a_bound_are_502_and_the_gateway_s_own_pass() {
        var run = PolicyRun.of("{\"type\": \"content-limits\", \"on\": \"response\", \"json\": {\"depth\": 1}}");

        assertThat(told(run.answering("[[]]").send(Exchanges.get("/"))))
                .isEqualTo("502 response-refused /0: expected at most 1 levels");
        assertThat(told(run.answering("[1").send(Exchanges.get("/")))).isEqualTo("502 response-refused");
        assertThat(run.answering("[]").send(Exchanges.get("/")).status()).isEqualTo(200);
        assertThat(run.answering("[[]]").send(Exchanges.of("HEAD", "/")).status())
                .isEqualTo(200);
        Response own = Response.of(503, "application/problem+json", "[[]]".getBytes(UTF_8))
                .because("draining");
        assertThat(run.answering(own).send(Exchanges.get("/")).status()).isEqualTo(503);
    }

    @Test
    void may_only_report() {
        var run = PolicyRun.of("{\"type\": \"content-limits\", \"mode\": \"report\", \"json\": {\"depth\": 1}}");

        assertThat(run.post("[[]]").status()).isEqualTo(200);
        assertThat(run.post("[").status()).isEqualTo(200);
    }

    private static Exchanges form(String... parts) {
        var body = new StringBuilder();
        for (String each : parts)
            body.append("--b\r\nContent-Disposition: form-data; name=")
                    .append(each)
                    .append("\r\n");
        return Exchanges.of("POST", "/")
                .with("Content-Type", "multipart/form-data; boundary=b")
                .body(body.append("--b--\r\n").toString());
    }

    @Test
    void forms_in_several_parts_are_of_another_type_unless_they_are_bounded() {
        assertThat(told(usual.send(form("a\r\n\r\n1")))).isEqualTo("415 unsupported-media-type");
        assertThat(told(PolicyRun.of("{\"type\": \"content-limits\", \"parts\": {}}")
                        .send(form("a\r\n\r\n1"))))
                .isEqualTo("200");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    a\\r\\n\\r\\n1                                                      | 200
                    abcd\\r\\nContent-Type: application/json\\r\\n\\r\\n[[1]]             | 200
                    a\\r\\nContent-Type: text/plain\\r\\n\\r\\n[[[[                       | 200
                    a\\r\\nContent-Type: application/json\\r\\n\\r\\n[[[1]]]              | 400 content-too-complex /a/0/0: expected at most 2 levels
                    a\\r\\nContent-Type: text/json+json; charset=utf-16\\r\\n\\r\\n[]      | 415 unsupported-media-type
                    a\\r\\nContent-Type: application/json\\r\\n\\r\\n[                    | 400 malformed-content
                    a\\r\\nContent-Type: text/xml\\r\\n\\r\\n<a><b><c/></b></a>          | 400 content-too-complex /a/a/b: line 1, column 11: expected at most 2 levels
                    a\\r\\n\\r\\n12345678901234567890123456789012345678901             | 400 content-too-complex /a: expected at most 40 bytes
                    abcde\\r\\n\\r\\n1                                                  | 400 content-too-complex : expected names of parts of at most 4 characters
                    a                                                               | 400 malformed-content
                    """)
    void bounds_parts_and_what_stands_in_them(String part, String expected) {
        var run = PolicyRun.of("""
                {"type": "content-limits", "json": {"depth": 2}, "xml": {"depth": 2},
                 "parts": {"count": 3, "name": 4, "size": 40}}""");

        assertThat(told(run.send(form(part.replace("\\r\\n", "\r\n"))))).isEqualTo(expected);
    }

    @Test
    void bounds_the_number_of_parts() {
        var run = PolicyRun.of("{\"type\": \"content-limits\", \"parts\": {\"count\": 2}}");

        assertThat(told(run.send(form("a\r\n\r\n1", "b\r\n\r\n2")))).isEqualTo("200");
        assertThat(told(run.send(form("a\r\n\r\n1", "b\r\n\r\n2", "c\r\n\r\n3"))))
                .isEqualTo("400 content-too-complex : expected at most 2 parts");
    }

    @Property(tries = 500)
    void takes_what_the_parser_of_trees_takes_and_nothing_else(@ForAll byte[] content) {
        boolean isJson = true;
        try {
            Json.parse(content, _ -> {});
        } catch (InvalidConfigException _) {
            isJson = false;
        }
        boolean passes = content.length == 0 || usual.send(json().body(content)).status() == 200;

        assertThat(passes).isEqualTo(content.length == 0 || isJson);
    }

    private static Exchanges json() {
        return Exchanges.of("POST", "/").with("Content-Type", "application/json");
    }
}
