package gateway.app.script;

import static gateway.http.Gzip.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class GatewayScriptTest {
    private static final List<String> BOMBS = List.of(
            "while (true);",
            "try { while (true); } finally { while (true); }",
            "(function f() { try { f(); } finally { f(); } })();",
            "(function f() { return f() + 1; })();",
            "'x'.repeat(2e9);",
            "let s = 'x'; for (let i = 0; i < 40; i++) s += s;",
            "let s = 'x'; for (let i = 0; i < 40; i++) s = `${s}${s}`;",
            "'x'.repeat(1e6).replace(/x/g, 'x'.repeat(1e6));",
            "new Array(2e9).join('x');",
            "[...(function () { arguments.length = 2e9; return Array.from(arguments); })()];",
            "Math.max.apply(null, {length: 2e9});",
            "Array.prototype.fill.call({length: 2e9}, 0);",
            "let a = []; a.length = 4294967295; a.sort(); [...a]; a.indexOf(1);",
            "let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; JSON.stringify(a);",
            "let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; String(a);",
            "let a = ['x']; for (let i = 0; i < 60; i++) a = [a, a]; a.flat(Infinity);",
            "JSON.parse('['.repeat(100000));",
            "let a = []; for (;;) a = [a]; JSON.stringify(a);",
            "/^(a+)+$/.test('a'.repeat(50) + 'b');",
            "/(x+x+)+y/.exec('x'.repeat(1000));",
            "new RegExp('('.repeat(600) + ')'.repeat(600)).test('x');",
            "let all = []; for (;;) all.push('x'.repeat(100000) + all.length);",
            "let m = new Map(); for (let i = 0; ; i++) m.set(i, {i});",
            "let o = {}; for (let i = 0; ; i++) o['k' + i] = i;",
            "function* g() { while (true) yield 1; } [...g()];",
            "for (let x of {[Symbol.iterator]() { return {next() { return {done: false}; }}; }});",
            "Object.entries('x'.repeat(1e6));",
            "for (;;) log('x'.repeat(100000));",
            "for (let i = 0; ; i++) request.headers['X-' + i] = 'x'.repeat(8000);",
            "for (let i = 0; ; i++) request.query['x' + i] = 'x'.repeat(8000);",
            "let s = 'x'.repeat(1e6); for (;;) hash(s);",
            "Object.prototype.polluted = '1';",
            "Array.prototype.map = 1;",
            "undeclared = 1;");

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private HttpServer upstream;
    private DefinedGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                arrived.add(exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("X-Total") + " " + body);
                byte[] answer = "{\"sum\":1}".getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
        gateway = DefinedGateway.start(data, Map.of("GATEWAY_TIER", "W2"));
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
        upstream.stop(0);
    }

    @Test
    void requests_and_answers_are_changed_packed_or_not() throws Exception {
        gateway.admin().call("PUT", "/resources/total.js", """
                if (response === undefined) {
                    const order = request.body;
                    order.total = order.prices.reduce((a, b) => a + b, 0);
                    request.body = order;
                    request.headers['X-Total'] = order.total;
                    request.query.checked = 'yes & no';
                } else {
                    response.body = {sum: response.body.sum + 1, by: request.method};
                    response.headers['X-Script'] = 'done';
                }
                """);
        gateway.define("orders", """
                {"type": "script", "on": "both", "body": "json", "source": {"resource": "total.js"}}""", upstream.getAddress());

        for (boolean packed : new boolean[] {false, true}) {
            arrived.clear();
            HttpResponse<String> answer = post("/orders", "{\"prices\":[1,2.5]}", packed);

            assertThat(arrived)
                    .containsExactly("/orders?checked=yes%20%26%20no 3.5 {\"prices\":[1,2.5],\"total\":3.5}");
            assertThat(answer.body()).isEqualTo("{\"sum\":2,\"by\":\"POST\"}");
            assertThat(answer.headers().firstValue("X-Script")).contains("done");
        }
    }

    @Test
    void a_script_refuses_before_the_upstream_is_asked_and_is_replaced_at_once() throws Exception {
        gateway.define("orders", script("fail('no');"), upstream.getAddress());
        HttpResponse<String> refused = get("/orders");
        gateway.define("orders", script("stop(418, 'tea');"), upstream.getAddress());
        HttpResponse<String> stopped = get("/orders");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(Json.parse(refused.body()).get("detail").stringValue()).isEqualTo("no");
        assertThat(stopped.statusCode() + stopped.body()).isEqualTo("418tea");
        assertThat(arrived).isEmpty();
    }

    /// Attacks 20 and 36: each ends by itself, the next request is clean, and a neighbour answers all the while.
    @Test
    void bombs_end_and_harm_no_neighbour() throws Exception {
        gateway.define(
                "neighbour",
                script("vars.a = typeof ({}).polluted + [1].map(x => x);" + " request.headers['X-Total'] = vars.a;"),
                upstream.getAddress());
        for (int i = 0; i < BOMBS.size(); i++) gateway.define("bomb" + i, script(BOMBS.get(i)), upstream.getAddress());
        var ended = new AtomicBoolean();
        var told = new HashMap<String, String>();
        try (var bombers = Executors.newVirtualThreadPerTaskExecutor()) {
            var bombing = bombers.submit(() -> {
                for (int i = 0; i < BOMBS.size(); i++)
                    told.put(BOMBS.get(i), get("/bomb" + i).body());
                ended.set(true);
                return true;
            });
            int asked = 0;
            while (!ended.get() && !bombing.isDone()) {
                HttpResponse<String> answer = get("/neighbour");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                asked++;
            }
            assertThat(bombing.get()).isTrue();
            assertThat(asked).isPositive();
        }

        assertThat(told).hasSize(BOMBS.size());
        told.forEach((bomb, answer) -> assertThat(answer).as(bomb).contains("policy-failed"));
        assertThat(arrived).isNotEmpty().allMatch(each -> each.startsWith("/neighbour undefined1"));
    }

    /// Attack 44: what is more than the workers of one API can do is refused, and is not the others' affair.
    @Test
    void more_than_workers_can_do_is_refused_and_others_are_served() throws Exception {
        gateway.define("slow", """
                {"type": "script", "time": "200ms", "instructions": 1000000000, "source": "while (true);"}""", upstream.getAddress());
        gateway.define("neighbour", script("request.headers['X-Total'] = 'ok';"), upstream.getAddress());

        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> slow = Stream.generate(
                            () -> callers.submit(() -> get("/slow").statusCode()))
                    .limit(100)
                    .toList();
            assertThat(get("/neighbour").statusCode()).isEqualTo(200);
            var statuses = new TreeSet<Integer>();
            for (var each : slow) statuses.add(each.get());

            assertThat(statuses).containsExactly(500, 503);
        }
    }

    @Test
    void a_broken_script_is_refused_with_its_place_and_changes_nothing() throws Exception {
        gateway.define("orders", script("stop(200, 'first');"), upstream.getAddress());

        HttpResponse<String> refused =
                gateway.admin().send("PUT", "/admin/v1/apis/orders", """
                {"match": {"path": "/orders"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]}}""".formatted(script("let a =\n;")));

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("/policies/0/source").contains("line 2, column");
        assertThat(get("/orders").body()).isEqualTo("first");
    }

    @Test
    void groovy_runs_where_it_is_allowed_and_is_refused_elsewhere() throws Exception {
        String policy = script("request.headers['X-Total'] = (1..3).sum()")
                .replace("{\"type\"", "{\"language\": \"groovy\", \"type\"")
                .replace("200ms", "1s");
        HttpResponse<String> refused = gateway.admin().send("PUT", "/admin/v1/apis/orders", """
                {"match": {"path": "/orders"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]}}""".formatted(policy));

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("/policies/0/language").contains("GATEWAY_SCRIPTS=groovy");
        try (var allowing = DefinedGateway.start(data.resolve("other"), Map.of("GATEWAY_SCRIPTS", "groovy"))) {
            allowing.define("orders", policy, upstream.getAddress());
            var request = HttpRequest.newBuilder(allowing.uri("/orders")).build();

            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            assertThat(arrived).containsExactly("/orders 6 ");
        }
    }

    private static String script(String source) {
        return "{\"type\": \"script\", \"time\": \"200ms\", \"source\": "
                + Json.compact(Json.mapper().getNodeFactory().stringNode(source)) + "}";
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(gateway.uri(path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body, boolean packed)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(gateway.uri(path)).header("Content-Type", "application/json");
        byte[] plain = body.getBytes(StandardCharsets.UTF_8);
        if (packed) request.header("Content-Encoding", "gzip");
        return client.send(
                request.POST(BodyPublishers.ofByteArray(packed ? gzip(plain) : plain))
                        .build(),
                BodyHandlers.ofString());
    }
}
