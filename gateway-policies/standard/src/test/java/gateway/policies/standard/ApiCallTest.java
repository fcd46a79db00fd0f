package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Gzip;
import gateway.http.Headers;
import gateway.http.NamedCaller;
import gateway.http.Response;
import gateway.json.Json;
import gateway.service.CallAnswer;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.Workers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonPointer;

final class ApiCallTest {
    private final Reading reading = new Reading(new ApiCall.Type());
    private final List<CallRequest> came = new CopyOnWriteArrayList<>();

    private void answers(int status, String json) {
        reading.services().calls().serveOthers(request -> {
            came.add(request);
            return answer(status, json);
        });
    }

    private static CallAnswer answer(int status, String json) {
        return new CallAnswer(status, Headers.create(), Body.of(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static Exchange by(String caller) {
        return Exchanges.get("/").calledBy(new NamedCaller(caller)).make();
    }

    private static Optional<String> fact(Exchange exchange, String pointer) {
        return exchange.fact(JsonPointer.compile(pointer)).map(found -> found.asString());
    }

    @Test
    void puts_values_where_they_belong() {
        answers(200, "{\"customer\": {\"segment\": \"gold\", \"age\": 7}, \"list\": [1]}");
        Exchange exchange = Exchanges.get("/")
                .with("X-Segment", "forged")
                .with("X-None", "forged")
                .make();

        var stop = reading.policy("{'name': 'profile', 'url': 'https://crm.example/me', 'take': {'var.segment':"
                        + " '/customer/segment', 'header.X-Segment': '/customer/segment', 'header.X-None': '/none',"
                        + " 'var.list': '/list'}}")
                .stop(exchange);

        assertThat(stop).isEmpty();
        assertThat(fact(exchange, "/profile/customer/age")).contains("7");
        assertThat(fact(exchange, "/var/segment")).contains("gold");
        assertThat(fact(exchange, "/var/list")).contains("");
        assertThat(exchange.headers().all("X-Segment")).containsExactly("gold");
        assertThat(exchange.headers().contains("X-None")).isFalse();
    }

    /// `[0,1,2]`
    private static String numbers(int count) {
        return IntStream.range(0, count).boxed().toList().toString();
    }

    @Test
    void large_answers_are_unpacked_and_read_by_a_worker_and_small_ones_are_not() {
        var policy = reading.policy("{'name': 'profile', 'url': 'https://crm.example/me'}");
        byte[] small = numbers(10_000).getBytes(StandardCharsets.UTF_8);
        byte[] large = numbers(20_000).getBytes(StandardCharsets.UTF_8);

        for (byte[] json : List.of(small, large)) {
            for (boolean packed : List.of(false, true)) {
                Headers fields = Headers.create();
                if (packed) fields.set("Content-Encoding", "gzip");
                var answer = new CallAnswer(200, fields, Body.of(packed ? Gzip.gzip(json) : json));
                reading.services().calls().serveOthers(_ -> answer);
                Exchange exchange = Exchanges.get("/").make();

                long before = reading.services().workers().taken();
                assertThat(policy.stop(exchange)).isEmpty();

                assertThat(fact(exchange, "/profile/9999")).contains("9999");
                assertThat(reading.services().workers().taken() - before).isEqualTo(json.length > 64 * 1024 ? 1 : 0);
            }
        }
    }

    @Test
    void an_answer_that_takes_far_more_memory_than_bytes_is_told_from_one_that_is_no_json() {
        answers(200, "[" + "[],".repeat(80_000) + "[]]");

        assertThatThrownBy(() -> reading.policy("{'name': 'profile', 'url': 'https://crm.example/me'}")
                        .stop(Exchanges.get("/").make()))
                .isInstanceOf(DependencyException.class)
                .hasMessage("https://crm.example: its answer has too many values");
    }

    @Test
    void an_old_answer_goes_on_while_no_worker_is_free_to_read_a_new_one() throws InterruptedException {
        var policy = reading.policy(
                "{'url': 'https://a.example/', 'cache': {'for': '1m', 'stale': '1m'}, 'take': {'var.n': '/n'}}");
        answers(200, "{\"n\": 1}");
        policy.stop(Exchanges.get("/").make());
        reading.services().clock().advance(Duration.ofSeconds(61));
        var busy = new Workers(1, Duration.ofMillis(1));
        var begun = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        Thread.ofVirtual()
                .start(() -> busy.call("other", () -> {
                    begun.countDown();
                    over.await();
                    return "";
                }));
        begun.await();
        try {
            reading.services().calls().serveOthers(_ -> busy.call("other", () -> answer(200, "{\"n\": 2}")));
            Exchange exchange = Exchanges.get("/").make();

            assertThat(policy.stop(exchange)).isEmpty();

            assertThat(fact(exchange, "/var/n")).contains("1");
        } finally {
            over.countDown();
        }
    }

    @Test
    void puts_values_into_the_query_in_place_of_what_the_client_says() {
        answers(200, "{\"segment\": \"a&b=c\"}");
        Exchange exchange = Exchanges.get("/?segment=forged&none=forged&a=1").make();

        reading.policy(
                        "{'url': 'https://crm.example/me', 'take': {'query.segment': '/segment', 'query.none': '/none'}}")
                .stop(exchange);

        assertThat(exchange.outgoing().query()).isEqualTo("a=1&segment=a%26b%3Dc");
    }

    @Test
    void takes_what_is_usual_while_a_service_gives_no_answer() {
        answers(503, "{\"segment\": \"gold\"}");
        var policy = reading.policy("{'calls': [{'name': 'profile', 'url': 'https://crm.example/me', 'default':"
                + " {'segment': 'basic'}, 'cache': {'for': '1m'}, 'take': {'var.segment': '/segment'}},"
                + " {'url': 'https://opa.example/', 'verdict': {'allow': '/ok'}, 'default': {'ok': false}}]}");
        Exchange exchange = by("a");

        assertThat(policy.stop(exchange).orElseThrow().status()).isEqualTo(403);
        answers(200, "{\"segment\": \"gold\", \"ok\": true}");
        assertThat(policy.stop(exchange)).isEmpty();
        assertThat(fact(exchange, "/var/segment")).contains("gold");
        reading.services().calls().serveOthers(_ -> answer(503, ""));
        reading.policy("{'name': 'p', 'url': 'https://gone.example/', 'default': {'segment': 'basic'},"
                        + " 'take': {'var.segment': '/segment'}}")
                .stop(exchange);
        assertThat(fact(exchange, "/var/segment")).contains("basic");
        assertThat(fact(exchange, "/p/segment")).contains("basic");
    }

    @ParameterizedTest
    @CsvSource({"200, usual", "204, ''"})
    void an_answer_without_content_is_none_unless_its_status_says_so(int status, String taken) {
        answers(status, "");
        Exchange exchange = Exchanges.get("/").make();

        reading.policy("{'url': 'https://crm.example/me', 'take': {'var.segment': '/segment'}, 'default':"
                        + " {'segment': 'usual'}}")
                .stop(exchange);

        assertThat(fact(exchange, "/var/segment")).contains(taken);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', quoteCharacter = '`', textBlock = """
                    @evil/ /u/%40evil%2F?q=%40evil%2F
                    //evil/x /u/%2F%2Fevil%2Fx?q=%2F%2Fevil%2Fx
                    ../admin 400
                    .. /u/__?q=..
                    a#b?c /u/a%23b%3Fc?q=a%23b%3Fc
                    a\\b /u/a%5Cb?q=a%5Cb
                    :99 /u/%3A99?q=%3A99
                    ü /u/%C3%BC?q=%C3%BC
                    """)
    void values_stay_where_they_stand(String value, String asked) {
        answers(200, "");
        Exchange exchange = by(value);

        Optional<Response> stop = reading.policy("{'url': 'https://crm.example/u/{key.id}?q={key.id}'}")
                .stop(exchange);

        if (asked.equals("400")) {
            assertThat(stop.orElseThrow().reason()).isEqualTo("bad-path");
            assertThat(came).isEmpty();
        } else assertThat(reading.services().calls().asked()).containsExactly("GET https://crm.example" + asked);
    }

    @Test
    void line_ends_stay_within_their_header_and_nothing_else_is_sent() {
        answers(200, "");
        Exchange exchange = Exchanges.get("/")
                .with("Authorization", "Bearer of-the-caller")
                .with("Cookie", "sid=of-the-caller")
                .calledBy(new NamedCaller("a\r\nX-Evil: 1"))
                .make();

        reading.policy("{'url': 'https://crm.example/', 'headers': {'X-User': '{key.id}'}}")
                .stop(exchange);

        var fields = new java.util.TreeMap<String, String>();
        came.getFirst().headers().forEach(fields::put);
        assertThat(fields).isEqualTo(Map.of("X-User", "a??X-Evil: 1", "Gateway-Hops", "1"));
    }

    @Test
    void a_header_without_a_value_is_not_sent() {
        answers(200, "");

        reading.policy("{'url': 'https://crm.example/', 'headers': {'X-Lang': '{request.header.Accept-Language}'}}")
                .stop(Exchanges.get("/").make());

        assertThat(came.getFirst().headers().contains("X-Lang")).isFalse();
    }

    @Test
    void the_end_of_a_path_is_not_left_empty() {
        answers(200, "");

        assertThat(reading.policy("{'url': 'https://crm.example/users/{claim:/sub}'}")
                        .stop(by("a"))
                        .orElseThrow()
                        .reason())
                .isEqualTo("bad-path");
        assertThat(came).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    200 | {"result": true}       | passes
                    200 | {"result": "true"}     | refused
                    200 | {"result": 1}          | refused
                    200 | {}                     | refused
                    200 | {"result": false, "why": "closed"} | closed
                    403 | not json               | refused
                    401 | {"why": "unknown"}     | refused
                    500 | {"result": true}       | away
                    302 | {"result": true}       | away
                    200 | {"result": true, "result": false} | away
                    200 | <html>                 | away
                    """)
    void a_verdict_is_true_and_nothing_else(int status, String json, String outcome) {
        answers(status, json);
        var policy = reading.policy("{'url': 'https://opa.example/allow', 'verdict': {'allow': '/result', 'reason':"
                + " '/why', 'status': 423}}");

        if (outcome.equals("away")) {
            assertThatThrownBy(() -> policy.stop(by("a"))).isInstanceOf(DependencyException.class);
            return;
        }
        Optional<Response> stop = policy.stop(by("a"));
        assertThat(stop.isEmpty()).isEqualTo(outcome.equals("passes"));
        stop.ifPresent(response -> {
            assertThat(response.status()).isEqualTo(423);
            assertThat(Reading.detail(response))
                    .isEqualTo(outcome.equals("closed") ? "closed" : "This may not be done");
        });
    }

    @Test
    void a_status_alone_decides() {
        var policy = reading.policy("{'url': 'https://auth.example/', 'verdict': {'deny': [404]}}");
        answers(204, "");
        assertThat(policy.stop(by("a"))).isEmpty();
        answers(404, "no");
        assertThat(policy.stop(by("a")).orElseThrow().status()).isEqualTo(403);
        answers(403, "no");
        assertThatThrownBy(() -> policy.stop(by("a"))).isInstanceOf(DependencyException.class);
    }

    @Test
    void decides_on_answers_and_puts_values_into_them() {
        answers(200, "{\"note\": \"n\"}");
        var noting =
                reading.policy("{'url': 'https://a.example/', 'on': 'response', 'take': {'header.X-Note': '/note'}}");
        assertThat(noting.comingBack(by("a"), Response.of(200)).headers().first("X-Note"))
                .contains("n");

        answers(403, "");
        var deciding = reading.policy("{'url': 'https://a.example/', 'on': 'response', 'verdict': {}}");
        assertThat(deciding.comingBack(by("a"), Response.of(200)).status()).isEqualTo(403);
        int before = came.size();
        assertThat(deciding.comingBack(by("a"), Response.of(404).because("no-route"))
                        .status())
                .isEqualTo(404);
        assertThat(came).hasSize(before);
    }

    @Test
    void sends_json_whose_structure_no_caller_changes_and_forms() {
        answers(200, "");
        Exchange exchange = by("\"}, \"admin\": true, \"x\": {\"");
        reading.policy("{'url': 'https://a.example/', 'method': 'POST', 'body': {'json': {'user': '{key.id}', 'n': [1,"
                        + " true, '']}}}")
                .stop(exchange);
        reading.policy(
                        "{'url': 'https://a.example/', 'method': 'POST', 'body': {'form': {'a b': '{key.id}', 'c': 'd'}}}")
                .stop(by("x&admin=1"));

        assertThat(Json.parse(text(came.getFirst())))
                .isEqualTo(Json.parse(
                        "{\"user\": \"\\\"}, \\\"admin\\\": true, \\\"x\\\": {\\\"\", \"n\": [1, true, \"\"]}"));
        assertThat(text(came.getLast())).isEqualTo("a%20b=x%26admin%3D1&c=d");
    }

    private static String text(CallRequest request) {
        return new String(request.body().bytes(1 << 20), StandardCharsets.UTF_8);
    }

    @Test
    void remembers_what_was_answered_to_each_caller() {
        var count = new AtomicInteger();
        reading.services().calls().serveOthers(request -> {
            came.add(request);
            return answer(200, "{\"n\": \"" + request.path() + count.incrementAndGet() + "\"}");
        });
        var policy = reading.policy("{'url': 'https://a.example/{key.id}', 'headers': {'X-Id': '{request.id}'},"
                + " 'cache': {'for': '1m', 'stale': '1m'}, 'take': {'var.n': '/n'}}");

        assertThat(List.of(n(policy, "a"), n(policy, "a"), n(policy, "b"), n(policy, "a")))
                .containsExactly("/a1", "/a1", "/b2", "/a1");
        reading.services().clock().advance(Duration.ofSeconds(61));
        assertThat(n(policy, "a")).isEqualTo("/a3");
        reading.services().calls().serveOthers(_ -> answer(503, ""));
        reading.services().clock().advance(Duration.ofSeconds(61));
        assertThat(n(policy, "a")).isEqualTo("/a3");
        reading.services().clock().advance(Duration.ofSeconds(61));
        assertThatThrownBy(() -> n(policy, "a")).isInstanceOf(DependencyException.class);
    }

    @Test
    void a_refusal_by_status_is_not_remembered_and_ends_what_was_allowed() {
        var statuses = new ArrayDeque<>(List.of(401, 200, 403));
        reading.services().calls().serveOthers(_ -> answer(statuses.pop(), ""));
        var policy = reading.policy(
                "{'url': 'https://a.example/{key.id}', 'verdict': {}," + " 'cache': {'for': '1m', 'stale': '1m'}}");

        assertThat(policy.stop(by("a"))).isPresent();
        assertThat(policy.stop(by("a"))).isEmpty();
        reading.services().clock().advance(Duration.ofSeconds(61));
        assertThat(policy.stop(by("a"))).isPresent();
        reading.services().calls().serveOthers(_ -> answer(503, ""));
        assertThatThrownBy(() -> policy.stop(by("a"))).isInstanceOf(DependencyException.class);
    }

    private static String n(Reading.Compiled policy, String caller) {
        Exchange exchange = by(caller);
        assertThat(policy.stop(exchange)).isEmpty();
        return fact(exchange, "/var/n").orElse("");
    }

    @Test
    void values_of_a_key_do_not_run_into_each_other() {
        answers(200, "");
        var policy = reading.policy(
                "{'url': 'https://a.example/?a={request.header.A}&b={request.header.B}'," + " 'cache': {'for': '1m'}}");

        policy.stop(Exchanges.get("/").with("A", "x").with("B", "1:yz").make());
        policy.stop(Exchanges.get("/").with("A", "x1:y").with("B", "z").make());

        assertThat(came).hasSize(2);
    }

    @Test
    void many_who_want_the_same_make_one_call() throws Exception {
        var count = new AtomicInteger();
        reading.services().calls().serveOthers(_ -> {
            count.incrementAndGet();
            return answer(200, "{}");
        });
        var policy = reading.policy("{'url': 'https://a.example/', 'cache': {'for': '1m'}}");

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<Response>>> all = IntStream.range(0, 50)
                    .mapToObj(_ -> threads.submit(() -> policy.stop(by("a"))))
                    .toList();
            for (var each : all) assertThat(each.get()).isEmpty();
        }

        assertThat(count.get()).isEqualTo(1);
    }

    @Test
    void asks_several_at_once() {
        var together = new CyclicBarrier(3); // where each waits for the others
        reading.services().calls().serveOthers(request -> {
            try {
                together.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return answer(200, "{\"path\": \"" + request.path() + "\"}");
        });
        Exchange exchange = by("a");

        reading.policy(
                        "{'timeout': '30s', 'calls': [{'name': 'one', 'url': 'https://a.example/1'}, {'name': 'two', 'url':"
                                + " 'https://b.example/2'}, {'name': 'three', 'url': 'https://a.example/3'}]}")
                .stop(exchange);

        assertThat(List.of("/one/path", "/two/path", "/three/path"))
                .extracting(pointer -> fact(exchange, pointer).orElse(""))
                .containsExactly("/1", "/2", "/3");
    }

    @Test
    void takes_no_half_of_a_character() {
        var exchange = Exchanges.get("/").make();
        var answer = Json.mapper().createObjectNode().put("a", "a".repeat(1_023) + "🙂");

        new TakenValue.Variable("a", JsonPointer.compile("/a")).put(answer, exchange, Headers.create());

        assertThat(exchange.fact(JsonPointer.compile("/var/a")).orElseThrow().stringValue())
                .isEqualTo("a".repeat(1_023));
    }

    @Test
    void puts_nothing_anywhere_when_one_of_several_fails_but_takes_away_what_was_forged() {
        reading.services().calls().serve("https://a.example", _ -> answer(200, "{\"v\": 1}"));
        Exchange exchange = Exchanges.get("/").with("X-V", "forged").make();
        var policy =
                reading.policy("{'calls': [{'name': 'a', 'url': 'https://a.example/', 'take': {'header.X-V': '/v'}},"
                        + " {'url': 'https://gone.example/'}]}");

        assertThatThrownBy(() -> policy.stop(exchange)).isInstanceOf(DependencyException.class);

        assertThat(exchange.headers().contains("X-V")).isFalse();
        assertThat(fact(exchange, "/a/v")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "9", "55", "-1", "x"})
    void ends_what_leads_to_itself(String hops) {
        answers(200, "");
        Exchange exchange = Exchanges.get("/").with("Gateway-Hops", hops).make();

        assertThat(reading.policy("{'url': 'https://a.example/'}")
                        .stop(exchange)
                        .orElseThrow()
                        .status())
                .isEqualTo(508);
    }

    @Test
    void tells_further_out_that_calls_lead_to_each_other_unless_that_is_an_answer() {
        answers(508, "");
        String url = "{'url': 'https://a.example/'";

        Response stop = reading.policy(url + ", 'default': {}, 'cache': {'for': '1m', 'stale': '1m'}}")
                .stop(by("a"))
                .orElseThrow();

        assertThat(stop.status()).isEqualTo(508);
        assertThat(stop.headers().contains("Retry-After")).isFalse();
        assertThat(reading.policy(url + ", 'accept': [508]}").stop(by("a"))).isEmpty();
        assertThat(reading.policy(url + ", 'verdict': {'deny': [508]}}")
                        .stop(by("a"))
                        .orElseThrow()
                        .status())
                .isEqualTo(403);
    }

    @Test
    void forwards_no_stream_without_an_end_and_nothing_in_its_place() {
        answers(200, "");
        var policy = reading.policy("{'url': 'https://a.example/', 'method': 'POST', 'body': {'forward': true}}");

        assertThat(policy.stop(Exchanges.of("POST", "/").chunked("data: 1").make())
                        .orElseThrow()
                        .status())
                .isEqualTo(415);
        assertThat(came).isEmpty();
    }

    @Test
    void counts_how_deep_it_is() {
        answers(200, "");
        reading.policy("{'url': 'https://a.example/'}")
                .stop(Exchanges.get("/").with("Gateway-Hops", "4").make());

        assertThat(came.getFirst().headers().first("Gateway-Hops")).contains("5");
    }

    @Test
    void may_be_left_to_report_when_it_does_nothing_but_decide() {
        assertThat(reading.spec("{'url': 'https://a.example/', 'verdict': {}}").mayReport())
                .isTrue();
        assertThat(reading.spec("{'url': 'https://a.example/', 'verdict': {}, 'name': 'a'}")
                        .mayReport())
                .isFalse();
        assertThat(reading.spec("{'url': 'https://a.example/'}").mayReport()).isFalse();
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'url': 'https://{request.header.host}/'}"))
                .anyMatch(problem -> problem.startsWith("/url: expected a URL such as"));
        for (String url :
                List.of("ftp://a/", "https://u:p@a/", "https://a:0/", "https://a/#x", "//a/", "https://a/b c"))
            assertThat(reading.problems("{'url': '" + url + "'}")).as(url).isNotEmpty();
        assertThat(reading.problems("{'url': 'https://a/{key.id}', 'cache': {'for': '1m', 'key': ['{client.ip}']}}"))
                .containsExactly("/cache/key: expected every placeholder that the call uses, since its answer may be"
                        + " another's else; missing {key.id}");
        assertThat(reading.problems("{'url': 'http://crm.internal/', 'headers': {'Authorization': 'x'}}"))
                .containsExactly("/url: expected https://, since \"allowPlaintext\" is not true, got http://");
        assertThat(reading.problems("{'url': 'https://a/', 'body': {'forward': true}}"))
                .containsExactly("/body: expected none with GET");
        assertThat(reading.problems("{'url': 'https://a/', 'name': 'claims'}")).hasSize(1);
        assertThat(reading.problems("{'url': 'https://a/', 'take': {'header.Host': '/a', 'x': '/b', 'var.y': 'c'}}"))
                .hasSize(3);
        assertThat(reading.problems("{'url': 'https://a/', 'calls': [{'url': 'https://a/'}]}"))
                .containsExactly("/url: expected either \"calls\" or \"url\", got both");
        assertThat(reading.problems("{'url': 'https://a/', 'on': 'response', 'take': {'query.a': '/a'}}"))
                .containsExactly("/on: expected \"request\", since answers have no query, got \"response\"");
        assertThat(reading.problems("{'calls': []}")).containsExactly("/calls: expected 1 to 8 calls, got 0");
        assertThat(reading.problems("{'url': 'http://127.0.0.1:1/', 'headers': {'Authorization': 'x'}}"))
                .isEmpty();
    }
}
