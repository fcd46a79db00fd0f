package gateway.policies.message.filter;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.ContentCodings;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.InvalidConfigException;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentFilterTest {
    private static PolicyRun filter(String rules, String more) {
        return PolicyRun.of(("{'type': 'content-filter', 'rules': [" + rules + "]" + more + "}").replace('\'', '"'));
    }

    private final PolicyRun scripts =
            filter("{'name': 'xss', 'set': 'cross-site-scripting', 'in': ['path', 'query', 'headers', 'body']}", "");

    @Test
    void refuses_in_path_query_headers_and_bodies_and_says_where() {
        assertThat(told(scripts.send(Exchanges.get("/a?q=%3Cscript%3E"))))
                .isEqualTo("403 content-refused /query: refused by xss");
        assertThat(told(scripts.send(Exchanges.get("/a/%3Cscript%3E"))))
                .isEqualTo("403 content-refused /path: refused by xss");
        assertThat(told(scripts.send(Exchanges.get("/a").with("Referer", "javascript:1"))))
                .isEqualTo("403 content-refused /headers/Referer: refused by xss");
        assertThat(told(scripts.post("{\"a\": [1, {\"b/c\": \"<script>\"}]}")))
                .isEqualTo("403 content-refused /body/a/1/b~1c: refused by xss");
        assertThat(told(scripts.post("{\"<script>\": 1}"))).isEqualTo("403 content-refused /body: refused by xss");
        assertThat(scripts.arrived()).isEmpty();
        assertThat(scripts.send(Exchanges.get("/a?q=hello&r=a+b").with("Referer", "https://a.example/"))
                        .status())
                .isEqualTo(200);
        assertThat(scripts.post("{\"a\": \"5 < 6\"}").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%3Cscript%3E",
                "%253Cscript%253E",
                "%26lt;script%26gt;",
                "%26%2360;script%3E",
                "%26%23x3c;script%3E",
                "%5Cu003cscript%3E",
                "%25u003cscript%3E",
                "%5Cx3cscript%3E",
                "%EF%BC%9Cscript%EF%BC%9E",
                "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
                "%3CSCR\u0131PT%3E%3Cscript%3E"
            })
    void sees_through_what_it_is_told_to_undo(String disguised) {
        PolicyRun all = filter(
                "{'name': 'xss', 'set': 'cross-site-scripting'}", ", 'decode': ['url', 'html', 'unicode', 'base64']");

        assertThat(all.send(Exchanges.get("/a?x=1&q=" + disguised)).reason()).isEqualTo("content-refused");
    }

    @Test
    void where_a_name_is_what_was_found_it_is_not_told() {
        PolicyRun run = filter("{'name': 'card', 'set': 'payment-card', 'in': ['body', 'headers']}", ", 'on': 'both'");

        assertThat(told(run.post("{\"a\": {\"4111111111111111\": {\"b\": 1}}}")))
                .isEqualTo("403 content-refused /body/a: refused by card");
        assertThat(told(run.send(Exchanges.get("/").with("X-4111111111111111", "a"))))
                .isEqualTo("403 content-refused /headers: refused by card");
        assertThat(told(run.send(Exchanges.get("/").with("X-A", "4111111111111111"))))
                .isEqualTo("403 content-refused /headers/X-A: refused by card");
    }

    @Test
    void escapes_of_json_hide_nothing() {
        assertThat(scripts.post("{\"a\": \"\\u003cscript\\u003e\"}").reason()).isEqualTo("content-refused");
    }

    @Test
    void escapes_of_json_by_its_other_names_hide_nothing() {
        PolicyRun placed = filter("{'name': 'word', 'words': ['secret'], 'in': ['body:/note']}", "");
        for (String type : List.of("text/json", "text/x-json; charset=utf-8")) {
            assertThat(told(scripts.send(typed(type, "{\"a\": \"\\u003cscript\\u003e\"}"))))
                    .isEqualTo("403 content-refused /body/a: refused by xss");
            assertThat(told(scripts.send(typed(type, "{\"a\"")))).isEqualTo("400 malformed-content");
            assertThat(told(placed.send(typed(type, "{\"note\": \"secret\"}"))))
                    .isEqualTo("403 content-refused /body/note: refused by word");
        }
    }

    @Test
    void looks_into_forms_and_text_and_markup() {
        for (String[] each : new String[][] {
            {"application/x-www-form-urlencoded", "a=1&b=%3Cscript+src%3D1%3E"},
            {"text/plain", "hello <script>"},
            {"application/xml", "<a><![CDATA[<script>]]></a>"}
        }) {
            var request =
                    Exchanges.of("POST", "/").with("Content-Type", each[0]).body(each[1]);
            assertThat(scripts.send(request).reason()).as(each[0]).isEqualTo("content-refused");
        }
        var entities = filter("{'name': 'xss', 'set': 'cross-site-scripting'}", ", 'decode': ['html']");
        var request = Exchanges.of("POST", "/").with("Content-Type", "text/xml").body("<a>&lt;script&gt;</a>");
        assertThat(entities.send(request).reason()).isEqualTo("content-refused");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a>s&#101;cretword</a>",
                "<a>secret<![CDATA[word]]></a>",
                "<a>secret<!-- -->word</a>",
                "<a>secret<?p q?>word</a>",
                "<a b='secret&#x77;ord'/>",
                "<a xmlns:b='urn:secret&#x77;ord'/>",
                "\uFEFF<?xml version='1.0' encoding='UTF-8'?><a><b/>s&#101;cretword</a>"
            })
    void escapes_of_xml_hide_nothing(String xml) {
        for (String type : List.of("text/xml", "application/xml; charset=utf8", "application/soap+xml")) {
            assertThat(told(words("refuse", type, xml))).isEqualTo("403 content-refused /body: refused by word");
            assertThat(words("mask", type, xml).reason()).isEqualTo("content-refused");
        }
        assertThat(told(words("report", "text/xml", xml))).isEqualTo("200");
    }

    @Test
    void values_of_xml_are_looked_at_each_by_itself() {
        for (String xml : List.of("<a>secret<b/>word</a>", "<a b='secret' c='word'>secret</a>", "<a/>"))
            assertThat(told(words("refuse", "text/xml", xml))).as(xml).isEqualTo("200");
        assertThat(told(words("refuse", "text/html", "<p>s&#101;cretword<br></p>")))
                .isEqualTo("200");
        PolicyRun whole = filter("{'name': 'word', 'regex': '^secretword$'}", "");
        assertThat(whole.send(typed("text/xml", "<a>secretword</a>")).reason()).isEqualTo("content-refused");
    }

    @Test
    void xml_that_is_not_read_is_refused() {
        for (String xml :
                List.of("<!DOCTYPE a [<!ENTITY x 'word'>]><a>secret&x;</a>", "<a>", "", "<?xml version='1.1'?><a/>"))
            assertThat(told(words("refuse", "text/xml", xml + " "))).as(xml).isEqualTo("400 malformed-content");
        assertThat(told(words("refuse", "text/xml", "<a>".repeat(101) + "</a>".repeat(101))))
                .isEqualTo("400 content-too-complex");
    }

    @Test
    void masks_in_xml_what_stands_there() {
        PolicyRun words = filter(
                "{'name': 'word', 'words': ['secretword'], 'in': ['body'], 'action': 'mask'},"
                        + "{'name': 'both', 'regex': 'my secretword', 'in': ['body']}",
                "");

        assertThat(words.send(typed("text/xml", "<a b='secretword'>a secretword<!--secretword--></a>"))
                        .status())
                .isEqualTo(200);
        assertThat(words.arrived()).isEqualTo("<a b='***'>a ***<!--***--></a>");
        for (String xml : List.of("<secretword/>", "<a>secretword, s&#101;cretword</a>"))
            assertThat(words.send(typed("text/xml", xml)).reason()).isEqualTo("content-refused");
        assertThat(words.send(typed("text/xml", "<a>secretword")).reason()).isEqualTo("malformed-content");
        assertThat(told(words.send(typed("text/xml", "<a>m&#121; secretword</a>"))))
                .isEqualTo("403 content-refused /body: refused by both");
    }

    @Test
    void the_values_of_xml_count_as_effort() {
        PolicyRun run = filter("{'name': 'a', 'regex': '^b$'}", ", 'effort': 1000");

        assertThat(run.send(typed("text/xml", "<a>" + "a".repeat(480) + "</a>")).status())
                .isEqualTo(200);
        assertThat(told(run.send(typed("text/xml", "<a>" + "a".repeat(520) + "</a>"))))
                .startsWith("400 content-too-complex");
    }

    private static Response words(String action, String type, String body) {
        String rule = "{'name': 'word', 'regex': 'secretword', 'in': ['body'], 'action': '" + action + "'}";
        return filter(rule, "").send(typed(type, body));
    }

    private static Exchanges typed(String type, String body) {
        return Exchanges.of("POST", "/").with("Content-Type", type).body(body);
    }

    @Test
    void masks_and_leaves_the_structure() {
        PolicyRun cards = filter(
                "{'name': 'card', 'set': 'payment-card', 'in': ['body'], 'action': 'mask'},"
                        + "{'name': 'mail', 'set': 'email', 'in': ['body'], 'action': 'mask'}",
                "");

        cards.post("{\"card\": \"4111 1111 1111 1111, or 5500000000000004\", \"n\": 4111111111111111, \"m\": 1.50,"
                + " \"to\": \"a@b.example\", \"odd\": \"4111%201111%201111%201111\"}");

        assertThat(cards.arrived())
                .isEqualTo("{\"card\":\"***, or ***\",\"n\":\"***\",\"m\":1.50,\"to\":\"***\",\"odd\":\"***\"}");

        cards.post("{ \"a\": 1 }");
        assertThat(cards.arrived()).isEqualTo("{ \"a\": 1 }");

        cards.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/x-www-form-urlencoded")
                .body("a=4111+1111+1111+1111&b=x%20y&c"));
        assertThat(cards.arrived()).isEqualTo("a=***&b=x%20y&c");

        cards.send(Exchanges.of("POST", "/").with("Content-Type", "text/plain").body("x 4111111111111111 y"));
        assertThat(cards.arrived()).isEqualTo("x *** y");
    }

    @Test
    void names_of_members_that_would_be_masked_are_refused() {
        PolicyRun cards = filter(
                "{'name': 'card', 'set': 'payment-card', 'in': ['body'], 'action': 'mask'},"
                        + "{'name': 'word', 'words': ['secret'], 'in': ['body:/a'], 'action': 'mask'}",
                "");
        PolicyRun whole = filter("{'name': 'mail', 'set': 'email', 'in': ['body'], 'action': 'mask'}", "");

        for (String json : List.of("{\"4111111111111111\": 1}", "{\"a\": [{\"secret\": 1}]}"))
            assertThat(told(cards.post(json))).as(json).isEqualTo("403 content-refused");
        assertThat(told(cards.post("{\"secret\": 1}"))).isEqualTo("200");
        for (int members : new int[] {1, 50_000}) // at once, and on a worker
        assertThat(told(whole.post("{\"a@b.example\": [" + "1,".repeat(members) + "1]}")))
                    .isEqualTo("403 content-refused");
    }

    @Test
    void refuses_what_it_cannot_mask_without_breaking_markup() {
        PolicyRun tags = filter("{'name': 'tag', 'regex': '<b>[a-z]*', 'in': ['body'], 'action': 'mask'}", "");

        var request = Exchanges.of("POST", "/").with("Content-Type", "text/xml").body("<a><b>x</b></a>");

        assertThat(tags.send(request).reason()).isEqualTo("content-refused");
    }

    @Test
    void looks_at_places_in_json_alone_where_told_to() {
        PolicyRun placed =
                filter("{'name': 'word', 'words': ['secret'], 'in': ['body:/items/*/note', 'header:X-Note']}", "");

        assertThat(told(placed.post("{\"items\": [{\"note\": {\"a\": \"Secret!\"}}]}")))
                .isEqualTo("403 content-refused /body/items/0/note/a: refused by word");
        assertThat(placed.post("{\"items\": [{\"title\": \"secret\", \"note\": \"secrets\"}]}")
                        .status())
                .isEqualTo(200);
        assertThat(placed.send(Exchanges.get("/").with("x-note", "a SECRET b")).status())
                .isEqualTo(403);
        assertThat(placed.send(Exchanges.get("/").with("X-Other", "secret")).status())
                .isEqualTo(200);
    }

    @Test
    void content_in_which_a_place_cannot_be_looked_for_is_refused() {
        PolicyRun placed = filter("{'name': 'word', 'words': ['secret'], 'in': ['body:/note']}", "");

        assertThat(placed.send(Exchanges.of("POST", "/")
                                .with("Content-Type", "text/plain")
                                .body("{\"note\": \"secret\"}"))
                        .status())
                .isEqualTo(415);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"&#x0000000003c;", "&#00000000060;", "\\u{00003c}", "\\u{3c}", "\\u003c", "%u003c", "\\x3c"})
    void zeros_before_a_number_hide_nothing(String escape) {
        assertThat(Escapes.units(Escapes.entities(escape + "script"))).isEqualTo("<script");
    }

    @ParameterizedTest
    @CsvSource({
        "&ltimg src=x onerror=foo>, <img src=x onerror=foo>",
        "&LTscript&GTx, <script>x",
        "&ltscript&gt, <script>",
        "&amplt;, &lt;",
        "&quotx&nbspy, '\"x y'",
        "&colonel; &lpar; &lparx, '&colonel; ( &lparx'",
        "&lt;&gt;&#60img, <><img"
    })
    void old_names_of_html_need_no_end(String escaped, String plain) {
        assertThat(Escapes.entities(escaped)).isEqualTo(plain);
    }

    @Test
    void records_what_it_only_reports() {
        PolicyRun reports = filter("{'name': 'internal', 'regex': '(?i)x-internal-[a-z]+', 'action': 'report'}", "");

        assertThat(reports.post("{\"a\": \"X-Internal-Node\"}").status()).isEqualTo(200);
        assertThat(reports.last().labels()).containsEntry("content-filter", "internal");
    }

    @Test
    void looks_at_answers() {
        PolicyRun answers = filter(
                "{'name': 'key', 'set': 'private-key', 'in': ['body']},"
                        + "{'name': 'card', 'set': 'payment-card', 'in': ['body'], 'action': 'mask'}",
                ", 'on': 'response'");

        assertThat(answers.answering("{\"a\": \"-----BEGIN RSA PRIVATE KEY-----\"}")
                        .post("{}")
                        .reason())
                .isEqualTo("response-refused");
        Response masked = answers.answering("{\"a\": \"4111111111111111\"}").post("{}");
        assertThat(PolicyRun.text(masked)).isEqualTo("{\"a\":\"***\"}");
        assertThat(answers.answering(Response.of(200, "image/png", new byte[] {1, 2}))
                        .post("{}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void refuses_bodies_that_it_cannot_look_at() {
        for (String type :
                new String[] {"image/png", "application/json; charset=utf-16", "text/plain; charset=latin1"}) {
            var request = Exchanges.of("POST", "/").with("Content-Type", type).body("abc");
            assertThat(scripts.send(request).status()).as(type).isEqualTo(415);
        }
        for (String declared : new String[] {"UTF-16", "UTF-7", "IBM037"}) {
            var xml = Exchanges.of("POST", "/")
                    .with("Content-Type", "application/xml")
                    .body("<?xml version='1.0' encoding = '" + declared + "'?><a/>");
            assertThat(scripts.send(xml).status()).as(declared).isEqualTo(415);
        }
        for (Charset each : List.of(
                StandardCharsets.UTF_16LE,
                StandardCharsets.UTF_16BE,
                Charset.forName("UTF-32LE"),
                Charset.forName("UTF-32BE"))) {
            for (String type : new String[] {"text/xml", "text/html", "text/plain"}) {
                var wide = Exchanges.of("POST", "/")
                        .with("Content-Type", type)
                        .body("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>javascript:</a>".getBytes(each));
                assertThat(told(scripts.send(wide))).as(each + " " + type).isEqualTo("415 unsupported-media-type");
            }
        }
        byte[] broken = {'a', (byte) 0xc0, (byte) 0xae};
        var request =
                Exchanges.of("POST", "/").with("Content-Type", "text/plain").body(broken);
        assertThat(told(scripts.send(request))).isEqualTo("400 malformed-content");
    }

    @Test
    void ends_at_its_bound_and_in_linear_time() {
        PolicyRun wide = filter("{'name': 'a', 'regex': '(a+)+$'}", "");
        assertThat(wide.post("{\"b\": \"" + "a".repeat(50_000) + "!\"}").status())
                .isEqualTo(200);

        var rules = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            rules.append(i == 0 ? "" : ",").append("{'name': 'r" + i + "', 'regex': 'aaaa[b-y]{1,9}z" + i + "'}");
        }
        PolicyRun many = filter(rules.toString(), "");
        String large = "{\"a\": \"" + "a".repeat(1_000_000) + "\"}";
        assertThat(told(many.post(large))).startsWith("400 content-too-complex");
        assertThat(many.post("{\"b\": \"" + "b".repeat(1_000_000) + "\"}").status())
                .isEqualTo(200);
    }

    @Test
    void finds_what_stands_at_either_end_of_the_largest_body() {
        String filler = "x ".repeat(400_000);
        for (String text : new String[] {"<script>" + filler, filler + "<script>"})
            assertThat(scripts.send(Exchanges.of("POST", "/")
                                    .with("Content-Type", "text/plain")
                                    .body(text))
                            .reason())
                    .isEqualTo("content-refused");
    }

    @Test
    void base64_of_what_is_no_text_is_no_harm() {
        PolicyRun all = filter("{'name': 'xss', 'set': 'cross-site-scripting'}", ", 'decode': ['base64']");
        String zip = Base64.getEncoder().encodeToString("PK\u0003\u0004 and so on".getBytes(UTF_8));

        assertThat(all.post("{\"a\": \"" + zip + "\"}").status()).isEqualTo(200);
    }

    @Test
    void names_every_problem() {
        assertThatThrownBy(() -> filter(
                        "{'name': 'A b', 'regex': '(?=a)'}, {'name': 'c', 'words': [], 'in': ['nowhere']},"
                                + "{'name': 'd', 'set': 'email', 'in': ['query'], 'action': 'mask'},"
                                + "{'name': 'd', 'set': 'email', 'words': ['x']}",
                        ""))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/rules/0/name: expected a name such as \"sql\"")
                .hasMessageContaining("/policies/0/rules/0/regex: expected a regular expression in RE2 syntax")
                .hasMessageContaining("/policies/0/rules/1/words: expected 1 to 1000 words")
                .hasMessageContaining("/policies/0/rules/1/in: expected path, query")
                .hasMessageContaining("/policies/0/rules/2/action: expected `mask` in bodies alone")
                .hasMessageContaining("/policies/0/rules/3: expected one of regex, words and set")
                .hasMessageContaining("/policies/0/rules: expected each name once");
    }

    /// The request's own thread may be that of an IO thread.
    @Test
    void what_takes_many_expressions_goes_to_a_worker_however_small_it_is() {
        var services = new FakeServices();
        String rules = IntStream.range(0, 50)
                .mapToObj(i -> "{\"name\": \"r%d\", \"regex\": \"[a-f]+[0-9]+z{%d}$\", \"in\": [\"headers\", \"body\"]}"
                        .formatted(i, i + 1))
                .collect(Collectors.joining(","));
        PolicyRun run = PolicyRun.of("{\"type\": \"content-filter\", \"rules\": [" + rules + "]}", services);
        String value = "abcdef1".repeat(200);

        run.post("{\"a\": \"abc\"}");
        assertThat(services.workers().taken()).isZero();
        assertThat(run.post("{\"a\": \"" + value + "\"}").status()).isEqualTo(200);
        assertThat(services.workers().taken()).isOne();
        assertThat(told(run.post("{\"b\": 1, \"a\": [1, \"" + value + "\", \"a1z\"]}")))
                .isEqualTo("403 content-refused /body/a/2: refused by r0");
        assertThat(services.workers().taken()).isEqualTo(2);
        assertThat(run.send(Exchanges.get("/").with("X-Value", value)).status()).isEqualTo(200);
        assertThat(services.workers().taken()).isEqualTo(3);
    }

    @Test
    void what_is_masked_takes_of_the_memory_for_bodies() {
        var everywhere = new FilterPlaces(false, false, false, List.of(), List.of(List.of()));
        var rule = new FilterRule("w", List.of(new WordsFinder("1")), everywhere, FilterAction.MASK);
        var filter = new CompiledFilter(List.of(rule), new ValueDecoding(Set.of()));
        for (String type : List.of("application/json", "application/x-www-form-urlencoded")) {
            var held = new ArrayList<Long>();
            UpstreamWaiter waiter = new UpstreamWaiter() {
                @Override
                public String upstream() {
                    return "";
                }

                @Override
                public void hold(long bytes) {
                    held.add(bytes);
                }
            };
            String sent = type.endsWith("json") ? "[1,1,1]" : "a=1&a=1";
            HeldBody body = Body.of(sent.getBytes(UTF_8)).undone(ContentCodings.ENGINE, Headers.create(), 100, waiter);
            var look = new BodyLook(BodyRules.of(filter), new FilterScan(filter, 1_000), true);

            assertThat(look.check(body, Headers.ofLines(List.of("Content-Type", type)), false))
                    .isEmpty();
            byte[] changed = look.changed().orElseThrow().bytes(100);
            assertThat(changed).hasSizeGreaterThan(sent.length());
            assertThat(held).as(type).last().isEqualTo((long) changed.length);
        }
    }
}
