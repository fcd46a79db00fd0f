package gateway.policies.script;

import static gateway.Eventually.until;
import static gateway.policies.script.ScriptRun.text;
import static gateway.policies.script.ScriptRun.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.Json;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageScriptTest {
    private static final String ORDER = "{\"items\":[{\"price\":2},{\"price\":3.5}]}";

    @Test
    void changes_what_the_upstream_gets() {
        var run = ScriptRun.with("\"body\": \"json\"", """
                const order = request.body;
                order.total = order.items.reduce((sum, item) => sum + item.price, 0);
                request.body = order;
                request.headers['X-Total'] = order.total;
                delete request.headers['X-Debug'];
                request.query.page = '2';
                delete request.query.debug;
                """);

        Response answer = run.send(Exchanges.of("POST", "/items?debug=1&a=b")
                .with("Content-Type", "application/json")
                .with("X-Debug", "1")
                .body(ORDER));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(run.arrived()).isEqualTo("{\"items\":[{\"price\":2},{\"price\":3.5}],\"total\":5.5}");
        assertThat(run.last().headers().first("X-Total")).contains("5.5");
        assertThat(run.last().headers().contains("X-Debug")).isFalse();
        assertThat(run.last().outgoing().query()).isEqualTo("a=b&page=2");
    }

    @Test
    void a_body_that_is_looked_at_and_not_assigned_goes_on_as_it_came() {
        var run = ScriptRun.with("\"body\": \"json\"", "request.body.items.pop(); vars.n = request.body.items.length;");

        run.post("{ \"items\": [1, 2] }");

        assertThat(run.variable("n")).isEqualTo("1");
        assertThat(run.arrived()).isEqualTo("{ \"items\": [1, 2] }");
    }

    @Test
    void json_that_its_readers_read_in_other_characters_is_refused() {
        var run = ScriptRun.with("\"body\": \"json\", \"on\": \"both\"", "if (false) fail('never');");
        String type = "application/json; charset=Shift_JIS";

        Response refused =
                run.send(Exchanges.of("POST", "/").with("Content-Type", type).body("{}"));
        assertThat(refused.status() + refused.reason()).isEqualTo("415unsupported-media-type");
        assertThat(run.arrived()).isEmpty();
        Response answer = run.answering(Response.of(200, type, "{}".getBytes(StandardCharsets.UTF_8)))
                .send(Exchanges.get("/"));
        assertThat(answer.status()).isEqualTo(502);
    }

    @ParameterizedTest
    @ValueSource(strings = {"guard", "authorize", "validate"})
    void lets_no_body_pass_unseen_where_messages_are_checked(String stage) {
        var run = ScriptRun.with(
                "\"body\": \"text\", \"on\": \"both\", \"stage\": \"" + stage + "\"", "if (false) fail('never');");
        Exchanges endless = Exchanges.of("POST", "/")
                .with("Content-Type", "text/event-stream")
                .chunked("evil");

        Response refused = run.send(endless);
        assertThat(refused.status() + refused.reason()).isEqualTo("415unsupported-media-type");
        assertThat(run.arrived()).isEmpty();
        assertThat(run.send(Exchanges.get("/")).status()).isEqualTo(200);

        Response answer = Response.of(200, "text/event-stream", "evil".getBytes(StandardCharsets.UTF_8));
        Response hidden = run.answering(answer).send(Exchanges.get("/"));
        assertThat(hidden.status() + hidden.reason()).isEqualTo("502response-refused");
        assertThat(ScriptRun.with("\"body\": \"text\"", "vars.a = '1'")
                        .send(endless)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void sees_a_request_from_all_sides() {
        var run = ScriptRun.of("""
                vars.a = [request.method, request.path, request.host, request.scheme, request.id, request.client,
                    request.headers['x-id'], request.headers.none, request.query.q, request.cookies.c,
                    Object.keys(request.query), Object.keys(request.cookies), 'x-id' in request.headers,
                    typeof request.body, consumer, typeof response].join('|');
                """);

        run.send(Exchanges.get("/items?q=a%20b&z")
                .with("X-Id", "7")
                .with("Cookie", "c=1; d=2")
                .from("203.0.113.9"));

        assertThat(run.variable("a"))
                .isEqualTo(
                        "GET|/items|api.example.com|http|request-1|203.0.113.9|7||a b|1|q,z|c,d|true|undefined||undefined");
    }

    @Test
    void text_is_read_and_replaced_as_text() {
        var run = ScriptRun.with("\"body\": \"text\"", "request.body = request.body.toUpperCase();");

        run.post("{\"ü\":1}");

        assertThat(run.arrived()).isEqualTo("{\"Ü\":1}");
    }

    /// Of the JDK's own way 200,000 of them take ten seconds.
    @ParameterizedTest
    @ValueSource(strings = {"toUpperCase", "toLowerCase"})
    void characters_that_become_several_take_no_square_of_their_number(String method) {
        String letter = method.equals("toUpperCase") ? "\u00df" : "\u0130";
        var run = ScriptRun.with(
                "\"time\": \"1s\"", "vars.a = '' + '" + letter + "'.repeat(200000)." + method + "().length;");

        assertTimeout(Duration.ofSeconds(2), run::get);
        assertThat(run.variable("a")).isEqualTo("400000");
    }

    @Test
    void changes_answers_and_finds_what_it_left_on_the_way_in() {
        var run = ScriptRun.with("\"on\": \"both\", \"body\": \"json\"", """
                if (response === undefined) vars.asked = request.body.id;
                else {
                    const body = response.body;
                    body.asked = Number(vars.asked);
                    response.body = body;
                    response.status = 201;
                    response.headers['X-Seen'] = request.method;
                    delete response.headers['Server'];
                }
                """);
        run.answering(Response.of(200, "application/json", "{\"a\":1}".getBytes(StandardCharsets.UTF_8))
                .with("Server", "x")
                .with("ETag", "\"1\""));

        Response answer = run.post("{\"id\":7}");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(text(answer)).isEqualTo("{\"a\":1,\"asked\":7}");
        assertThat(answer.headers().first("X-Seen")).contains("POST");
        assertThat(answer.headers().contains("Server")).isFalse();
        assertThat(answer.headers().contains("ETag")).isFalse();
    }

    @Test
    void a_request_that_has_gone_is_read_only() {
        var run = ScriptRun.with("\"on\": \"response\"", "request.headers['X-Late'] = '1';");

        assertThat(run.get().status()).isEqualTo(500);
    }

    @Test
    void answers_itself() {
        var run = ScriptRun.of("stop(202, {taken: true}, {'X-By': 'script'}); vars.never = '1';");

        Response answer = run.get();

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.reason()).isEmpty();
        assertThat(text(answer)).isEqualTo("{\"taken\":true}");
        assertThat(answer.headers().first("X-By")).contains("script");
        assertThat(run.variable("never")).isEmpty();
    }

    @Test
    void refuses_by_stop_and_by_fail() {
        Response stopped = ScriptRun.of("stop(403, 'no');").get();
        Response failed = ScriptRun.of("fail('expected an order');").get();
        Response refused =
                ScriptRun.with("\"on\": \"response\"", "fail('no order');").get();

        assertThat(stopped.status() + " " + stopped.reason() + " " + text(stopped))
                .isEqualTo("403 script-refused no");
        assertThat(failed.status() + " " + failed.reason()).isEqualTo("422 invalid-content");
        assertThat(Json.parse(text(failed)).get("detail").stringValue()).isEqualTo("expected an order");
        assertThat(refused.status() + " " + refused.reason()).isEqualTo("502 response-refused");
    }

    /// Rhino would interpret it, and what bounds operators is woven into classes.
    @Test
    void is_refused_when_it_is_too_long_for_a_class() {
        String doubling = "let s = 'x'; for (let i = 0; i < 27; i++) s = s + s; vars.n = s.length;";
        String more = "s.slice(1);".repeat(3_000);

        assertThat(ScriptRun.failure(doubling)).contains("RangeError");
        assertThatThrownBy(() -> ScriptRun.of(doubling + more)).hasMessageContaining("is too long");
        assertThatThrownBy(() -> ScriptRun.of(doubling + "function f() {" + more + "}"))
                .hasMessageContaining("is too long");
    }

    @Test
    void marks_without_end_are_not_put_in_order() {
        String text = "(\"x\" + \"\\u0301\\u0316\".repeat(%d)).normalize().length";

        assertThat(ScriptRun.failure("vars.n = " + text.formatted(501) + ";")).contains("combining marks");
        assertThat(ScriptRun.computed(text.formatted(500))).isEqualTo("1001");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "while (true);                                              | instructions",
                "let s = 'x'.repeat(100000); for (;;) s.indexOf('y');        | time",
                "let a = []; for (;;) a.push(['x'.repeat(1000)]);            | memory",
                "(function f() { return f() + 1; })();                       | depth",
                "throw new Error('secret');                                  | error",
                "null.x;                                                     | error",
            })
    void a_run_without_an_end_of_its_own_is_500_and_its_reason_is_told_and_counted(String source, String reason) {
        var run = ScriptRun.with(
                reason.equals("time")
                        ? "\"instructions\": 1000000000, \"time\": \"20ms\""
                        : "\"time\": \"1s\", \"memory\": \"16MiB\"",
                source);

        Response answer = run.get();

        assertThat(answer.status() + " " + answer.reason()).isEqualTo("500 policy-failed");
        assertThat(text(answer)).contains(reason).doesNotContain("secret");
        assertThat(run.last().labels()).containsEntry("script", reason);
        assertThat(run.services()
                        .meters()
                        .get("gateway.scripts.stopped")
                        .tag("reason", reason)
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    /// Rhino itself looks at bounds where a run branches.
    @ParameterizedTest
    @ValueSource(strings = {"s.slice(1);", "s.trim();", "new Array(99999);", "+s;"})
    void a_straight_line_is_looked_at_before_it_is_over(String step) {
        var run = ScriptRun.with(
                "\"time\": \"50ms\", \"memory\": \"32MiB\"",
                "let s = '9'.repeat(1 << 20).slice(1) + ' ';" + step.repeat(1_200) + "vars.over = '1';");
        run.get();
        assertThat(run.last().labels().get("script")).isIn("time", "memory");
        assertThat(run.variable("over")).isEmpty();
    }

    @Test
    void an_object_in_the_place_of_an_answer_says_that_it_is_json() {
        String source = "response.body = {a: 1};";

        assertThat(type("none", "text/html", source)).contains("application/json");
        assertThat(type("none", "", source)).contains("application/json");
        assertThat(type("none", "application/problem+json", source)).contains("application/problem+json");
        assertThat(type("none", "text/html", "response.headers['content-type'] = 'text/x-a';" + source))
                .contains("text/x-a");
        assertThat(type("none", "text/html", source + "response.headers['Content-Type'] = 'text/html';"))
                .contains("text/html");
        assertThat(type("text", "text/html", "response.body = '<p>';")).contains("text/html");
        assertThat(type("text", "", "response.body = 'a';")).contains("text/plain; charset=utf-8");
    }

    private static Optional<String> type(String body, String upstream, String source) {
        Response answer = Response.of(200, "x/y", "{}".getBytes(StandardCharsets.UTF_8));
        answer.headers().remove("Content-Type");
        if (!upstream.isEmpty()) answer.headers().set("Content-Type", upstream);
        var run = ScriptRun.with("\"on\": \"response\", \"body\": \"" + body + "\"", source);
        return run.answering(answer).get().headers().first("Content-Type");
    }

    @Test
    void an_object_in_the_place_of_a_request_says_that_it_is_json() {
        var run = ScriptRun.of("request.body = {a: 1};");

        run.send(Exchanges.of("POST", "/").with("Content-Type", "text/xml").body("<a/>"));

        assertThat(run.last().headers().first("Content-Type")).contains("application/json");
    }

    @ParameterizedTest
    @CsvSource({"HEAD,200", "GET,304"})
    void answers_without_content_tell_nothing_of_what_the_script_would_make_of_it(String method, int status) {
        for (String source :
                new String[] {"response.body = {a: 1}; response.headers.x = 'y'", "response.headers.x = 'y'"}) {
            var run = ScriptRun.with("\"on\": \"response\", \"body\": \"json\"", source);
            run.answering(Response.of(status)
                    .with("Content-Type", "application/json")
                    .with("Content-Length", "7")
                    .with("ETag", "\"1\""));

            Response answer = run.send(Exchanges.of(method, "/"));

            assertThat(answer.headers().contains("Content-Length")).isFalse();
            assertThat(answer.headers().contains("ETag")).isFalse();
            assertThat(answer.body().length()).hasValue(0);
            assertThat(answer.headers().first("x")).contains("y");
        }
    }

    @Test
    void answers_without_content_keep_what_they_tell_where_no_script_changes_it() {
        var run = ScriptRun.with("\"on\": \"response\"", "response.headers.x = 'y'");
        run.answering(Response.of(200).with("Content-Length", "7").with("ETag", "\"1\""));

        Response answer = run.send(Exchanges.of("HEAD", "/"));

        assertThat(answer.headers().first("Content-Length")).contains("7");
        assertThat(answer.headers().first("ETag")).contains("\"1\"");
    }

    @Test
    void a_part_is_not_asked_for_and_refused_where_a_script_reads_bodies() {
        var reads = ScriptRun.with("\"on\": \"response\", \"body\": \"text\"", "vars.a = '1';");
        var looksAtHeads = ScriptRun.with("\"on\": \"response\"", "vars.a = '1';");
        Exchanges ranged = Exchanges.get("/").with("Range", "bytes=0-1").with("If-Range", "\"1\"");
        Response part = Response.of(206, "text/plain", "ab".getBytes(StandardCharsets.UTF_8));

        Response refused = reads.answering(part).send(ranged);

        assertThat(refused.status() + refused.reason()).isEqualTo("502response-refused");
        assertThat(reads.last().headers().contains("Range")).isFalse();
        assertThat(reads.last().headers().contains("If-Range")).isFalse();
        assertThat(looksAtHeads.answering(part).send(ranged).status()).isEqualTo(206);
        assertThat(looksAtHeads.last().headers().contains("Range")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "let a = 1;\\nthrow 'secret';                         | 2",
                "let a = 1;\\n\\nnull.secret;                         | 3",
                "let a = 1;\\n[1].map(secret => secret.x.y);          | 2",
                "let a = 1;\\n[1].sort('secret');                     | 2",
                "function f() {\\n'a'.repeat(-1);\\n}\\nf();          | 2",
                "let a;\\nstop(99);                                   | 2",
            })
    void what_a_script_throws_is_told_by_its_line(String source, int line) {
        var run = ScriptRun.of(source.replace("\\n", "\n"));

        assertThat(Json.parse(text(run.get())).get("detail").stringValue())
                .isEqualTo("The script of a policy threw an error in line " + line);
    }

    private static final String NATIVE_ITERATOR =
            "var it = {done: false, value: ['a', 1], next: Object.prototype.valueOf};"
                    + " it[Symbol.iterator] = Object.prototype.valueOf; ";

    /// None of its steps is an instruction of the script.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[...it]",
                "new Set(it)",
                "new Map(it)",
                "Object.fromEntries(it)",
                "Array.from(it)",
                "(function () { for (let each of it); })()"
            })
    void iterators_of_built_in_functions_come_to_an_end(String source) {
        assertThat(value("(function () { " + NATIVE_ITERATOR + "return " + source + "; })()"))
                .startsWith("500 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text.indexOf(wanted)",
                "text.lastIndexOf(wanted)",
                "text.includes(wanted)",
                "text.split(wanted).length",
                "text.replace(wanted, '')"
            })
    void a_text_is_searched_in_steps_that_grow_with_it_alone(String source) {
        var run = ScriptRun.with(
                "\"time\": \"500ms\"",
                "let text = 'ab'.repeat(1 << 18), wanted = 'ab'.repeat(1 << 17) + 'b'; " + source + "; stop(204);");

        assertThat(run.get().status()).isEqualTo(204);
    }

    @Test
    void a_long_text_is_found_where_it_stands() {
        assertThat(value("'xabcabcabcabcabcabcabd'.indexOf('abcabcabcabcabcabd')"))
                .isEqualTo("4");
        assertThat(value("'abaabaabaabaabaabaabaaba'.lastIndexOf('abaabaabaabaabaabaaba')"))
                .isEqualTo("3");
        assertThat(value("'abaabaabaabaabaabaabaaba'.lastIndexOf('abaabaabaabaabaabaaba', 2)"))
                .isEqualTo("0");
        assertThat(value("'aaaaaaaaaaaaaaaaaaaaaaaa'.indexOf('aaaaaaaaaaaaaaaaaaaa', 3)"))
                .isEqualTo("3");
        assertThat(value("'aaaaaaaaaaaaaaaaaaaaaaaa'.indexOf('aaaaaaaaaaaaaaaaaaaa', 9)"))
                .isEqualTo("-1");
    }

    @Test
    void nothing_catches_an_end() {
        assertThat(ScriptRun.of("try { stop(204); } catch (e) { fail('caught'); }")
                        .get()
                        .status())
                .isEqualTo(204);
        assertThat(value("(function () { try { while (true); } catch (e) { return 'caught'; } })()"))
                .startsWith("500 ");
        assertThat(value("(function f() { try { f(); } finally { f(); } })()")).startsWith("500 ");
    }

    @Test
    void bodies_that_are_not_what_it_reads_are_refused() {
        var json = ScriptRun.with("\"body\": \"json\"", "vars.a = '1';");
        var text = ScriptRun.with("\"body\": \"text\"", "vars.a = '1';");
        var both = ScriptRun.with("\"on\": \"response\", \"body\": \"json\"", "vars.a = '1';");
        both.answering(Response.of(200, "text/html", "<p>".getBytes(StandardCharsets.UTF_8)));

        assertThat(json.post("{\"a\":1,\"a\":2}").status()).isEqualTo(400);
        assertThat(json.post("").status()).isEqualTo(200);
        assertThat(text.send(Exchanges.of("POST", "/").body(new byte[] {(byte) 0xff}))
                        .status())
                .isEqualTo(400);
        assertThat(both.get().status()).isEqualTo(502);
        Response large =
                ScriptRun.with("\"body\": \"json\"", "request.body.length;").post("[" + "1,".repeat(100_000) + "1]");
        assertThat(large.status() + " " + large.reason()).isEqualTo("400 content-too-complex");
    }

    @Test
    void headers_that_frame_a_message_or_split_it_are_not_written() {
        for (String header : new String[] {"Content-Length", "transfer-encoding", "Host", "a b", "X\\r\\nY"})
            assertThat(ScriptRun.failure("request.headers['" + header + "'] = '1';"))
                    .as(header)
                    .contains("TypeError");
        assertThat(ScriptRun.failure("request.headers.X = 'a\\r\\nY: b';")).contains("TypeError");
        assertThat(ScriptRun.failure("stop(200, '', {'X': 'a\\nb'});")).contains("TypeError");
        assertThat(ScriptRun.failure("stop(99);")).contains("TypeError");
    }

    @Test
    void functions_give_what_others_give() {
        assertThat(value("hash('abc')")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(value("hmac('Jefe', 'what do ya want for nothing?')")) // RFC 4231, test case 2
                .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        assertThat(value("hash('', 'SHA-512').length + hash('', 'SHA-384').length"))
                .isEqualTo("224");
        assertThat(value("base64.encode('hé') + base64.decode('aMOp')")).isEqualTo("aMOphé");
        assertThat(value("same('a', 'a') + ' ' + same('a', 'b')")).isEqualTo("true false");
        assertThat(value("jwtClaims('e30.eyJzdWIiOiJ4In0.c').sub + jwtClaims('x')"))
                .isEqualTo("xnull");
        assertThat(value("/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid()) && now() > 1e12"))
                .isEqualTo("true");
        assertThat(value("hash('a', 'MD5')")).isEqualTo("500 error");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "var a = 1;\nvar = 2;",
                "let a = 1;\nlet b = 2n;",
                "'use strict';\nclass A {}",
                "let a;\nfor (const x of []) a = x;",
                "let a;\nfor (;;) { const x = 1; }",
                "let a;\nasync function f() {}",
                "let a;\nf(...a);",
                "let a;\nlet [b, , c] = [1, 2, 3];",
                "let a;\nlet [b, ...c] = [1, 2, 3];",
                "let a;\nlet {b, ...c} = {};",
                "let a =\n/" // an expression that does not end
            })
    void is_refused_with_line_and_column_where_it_cannot_be_compiled(String source) {
        assertThatThrownBy(() -> ScriptRun.of(source))
                .hasMessageContaining("/policies/0/source: expected a script in JavaScript: line 2, column ");
    }

    @Test
    void is_refused_when_it_is_nested_too_deep_or_too_long() {
        assertThatThrownBy(() -> ScriptRun.of("(".repeat(60_000))).hasMessageMatching(".*(nested too deep|Too deep).*");
        assertThatThrownBy(() -> ScriptRun.of("a;".repeat(33_000))).hasMessageContaining("at most 65536 characters");
        assertThatThrownBy(() -> ScriptRun.of("/" + "a".repeat(1_001) + "/;")).hasMessageContaining("1000 characters");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"time\": \"2s\" | /policies/0/time",
                "\"time\": \"0ms\" | /policies/0/time",
                "\"instructions\": 999 | /policies/0/instructions",
                "\"instructions\": 1000000001 | /policies/0/instructions",
                "\"memory\": \"1KiB\" | /policies/0/memory",
                "\"memory\": \"257MiB\" | /policies/0/memory",
                "\"maxBody\": \"2MiB\" | /policies/0/maxBody",
                "\"maxBody\": 1 | /policies/0/maxBody",
                "\"body\": \"xml\" | /policies/0/body",
                "\"on\": \"way\" | /policies/0/on",
                "\"stage\": \"cache\" | /policies/0/stage",
                "\"language\": \"python\" | /policies/0/language",
                "\"mode\": \"report\" | /policies/0/mode",
            })
    void every_field_has_bounds(String field, String pointer) {
        assertThatThrownBy(() -> ScriptRun.with(field, "vars.a = '1';")).hasMessageContaining(pointer);
    }

    @Test
    void one_request_leaves_nothing_for_the_next() {
        for (String change : new String[] {
            "Object.prototype.polluted = '1'",
            "Array.prototype.push = null",
            "String.prototype.trim = null",
            "request.__proto__.x = 1",
            "Object.setPrototypeOf(Array.prototype, null)",
            "Object.freeze(Array.prototype)",
            "Object.preventExtensions(Math)",
            "Array.prototype.push.call(Array.prototype, 1)",
            "Array.prototype.push(1)",
            "Array.prototype.unshift(1)",
            "Array.prototype.splice(0, 0, 1)",
            "Array.prototype.length = 7",
            "Array.prototype[0] = 1",
            "Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())).next = null",
            "Object.getPrototypeOf(function* () {}).x = 1",
            "Object.defineProperty(Array.prototype, '0', {value: 1})",
            "Object.assign(Object.prototype, {x: 1})",
            "delete Array.prototype.map",
            "Error.prototype.name = 'x'",
            "Object.defineProperty(Object.prototype, 'x', {value: 1})",
            "hash.x = 1",
            "hash = null",
            "Math.max = null",
            "undeclared = 1",
            "Symbol.iterator = 1",
            "(function* () {}).__proto__.x = 1",
            "new Map().entries().__proto__.next = null",
            "Object.getPrototypeOf(new Map().entries()).next = null"
        }) assertThat(ScriptRun.failure(change)).as(change).isNotEmpty();
        var run = ScriptRun.of("var count = (typeof count === 'undefined' ? 0 : count) + 1; vars.n = count;");
        run.get();
        run.get();
        assertThat(run.variable("n")).isEqualTo("1");
    }

    @Test
    void nothing_of_a_request_stays_once_it_is_over() {
        var run = ScriptRun.of("""
                const all = request, made = Object.freeze({text: 'x'.repeat(1000)});
                vars.a = [1].map(x => made.text.length + all.method.length + x).concat(made.text.length).join();
                """);
        var requests = new ArrayList<WeakReference<Exchange>>();
        for (int i = 0; i < 20; i++) {
            run.get();
            requests.add(new WeakReference<>(run.last()));
        }
        requests.removeLast(); // which is looked at here

        assertThat(run.variable("a")).isEqualTo("1004,1000");
        until(() -> {
            System.gc();
            return requests.stream().allMatch(each -> each.get() == null);
        });
    }

    @Test
    void java_is_nowhere() {
        for (String name : new String[] {
            "java", "javax", "Packages", "JavaAdapter", "JavaImporter", "importClass", "getClass", "Function", "eval",
            "Date", "Promise", "Proxy", "Reflect", "WeakMap", "ArrayBuffer", "Uint8Array", "BigInt", "globalThis",
            "With", "Call", "Script", "Continuation", "XML", "Atomics", "WeakRef", "Iterator", "StopIteration"
        }) assertThat(value("typeof " + name)).as(name).isEqualTo("undefined");
        for (String way : new String[] {
            "(function () {}).constructor",
            "(function* () {}).constructor",
            "(() => 1).constructor",
            "[].map.constructor",
            "request.getClass",
            "request.headers.class",
            "'a'.getClass",
            "(1).getClass",
            "hash.getClass",
            "stop.constructor",
            "request.constructor",
            "vars.constructor",
            "Math.random",
            "Symbol.for",
            "[].__parent__"
        }) assertThat(value(way)).as(way).matches("undefined|(?s)function Object\\(\\) \\{.*");
    }

    @Test
    void lines_for_operators_are_paced() {
        var run = ScriptRun.of("for (let i = 0; i < 1000; i++) log('line ' + i);");

        assertThat(run.get().status()).isEqualTo(200);
    }
}
