package gateway.app.transform;

import static gateway.Eventually.until;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Calls of other services in the course of requests, over sockets: what services, upstream and client got.
@Timeout(90)
final class GatewayApiCallTest {
    /// A client is looked after when its request is older than this, twice what the gateway takes for long.
    private static final long LONG_NANOS = 2_000_000;

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer upstream;
    private HttpServer service;
    private DefinedGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = server();
        upstream.createContext("/", noting(arrived, 200, "from upstream"));
        service = server();
    }

    private static HttpServer server() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server;
    }

    /// Notes method, path, fields and body of each request.
    private static HttpHandler noting(List<String> all, int status, String answer) {
        return exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
                all.add(exchange.getRequestMethod()
                        + ' '
                        + exchange.getRequestURI()
                        + ' '
                        + exchange.getRequestHeaders().entrySet()
                        + ' '
                        + body);
                send(exchange, status, answer);
            }
        };
    }

    private static void send(HttpExchange exchange, int status, String answer) throws IOException {
        byte[] content = answer.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
        exchange.getResponseBody().write(content);
    }

    @AfterEach
    void stop() {
        over.countDown();
        client.close();
        gateway.close();
        upstream.stop(0);
        service.stop(0);
    }

    private void serve(String policies) {
        gateway = DefinedGateway.start(data, Map.of("GATEWAY_TRAFFIC_LOG", "file"), """
                {"id": "orders", "match": {"path": "/"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                policies.replace(
                        "SERVICE", "http://127.0.0.1:" + service.getAddress().getPort()),
                upstream.getAddress().getPort()));
    }

    private HttpResponse<String> get(String target, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(gateway.uri(target));
        if (headers.length > 0) request.headers(headers);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void what_a_service_says_goes_to_the_upstream_and_the_callers_credentials_go_nowhere() throws Exception {
        service.createContext("/users/", noting(asked, 200, "{\"segment\": \"gold\", \"active\": true}"));
        serve("""
                {"type": "api-call", "name": "profile", "url": "SERVICE/users/{request.query.user}",
                 "headers": {"X-Key": "of-the-gateway"}, "take": {"var.segment": "/segment", "header.X-Segment": "/segment"}},
                {"type": "headers", "request": {"set": {"X-Both": "{var.segment} {fact:/profile/active}"}}}""");

        get(
                "/x?user=@evil/x",
                "Authorization",
                "Bearer of-the-caller",
                "Cookie",
                "a=of-the-caller",
                "X-Segment",
                "forged");

        assertThat(asked)
                .singleElement()
                .satisfies(call -> assertThat(call)
                        .startsWith("GET /users/%40evil%2Fx ")
                        .contains("of-the-gateway")
                        .doesNotContain("of-the-caller"));
        assertThat(arrived)
                .singleElement()
                .satisfies(request -> assertThat(request)
                        .contains("X-both=[gold true]", "X-segment=[gold]")
                        .doesNotContain("forged"));
    }

    @Test
    void a_service_hears_where_a_request_comes_from_when_it_is_told_and_then_by_the_gateway() throws Exception {
        service.createContext("/", noting(asked, 200, "{}"));
        serve("""
                {"type": "api-call", "url": "SERVICE/untold"},
                {"type": "api-call", "url": "SERVICE/told",
                 "headers": {"X-Forwarded-For": "{request.header.X-Forwarded-For}"}}""");

        get("/x", "X-Forwarded-For", "203.0.113.9", "X-Real-IP", "203.0.113.9", "Forwarded", "for=203.0.113.9");

        assertThat(asked).hasSize(2);
        assertThat(asked.get(0)).startsWith("GET /untold ").doesNotContain("orwarded", "203.0.113.9");
        assertThat(asked.get(1))
                .startsWith("GET /told ")
                .contains("X-forwarded-for=[127.0.0.1]")
                .doesNotContain("203.0.113.9");
    }

    @Test
    void several_services_are_asked_at_once() throws Exception {
        var together = new CyclicBarrier(2);
        service.createContext("/", exchange -> {
            try (exchange) {
                together.await(30, TimeUnit.SECONDS);
                send(exchange, 200, "{\"v\": \"" + exchange.getRequestURI() + "\"}");
            } catch (Exception e) {
                throw new IOException(e);
            }
        });
        serve("""
                {"type": "api-call", "timeout": "30s", "calls": [
                  {"url": "SERVICE/one", "take": {"header.X-One": "/v"}},
                  {"url": "SERVICE/two", "take": {"header.X-Two": "/v"}}]}""");

        assertThat(get("/").statusCode()).isEqualTo(200);
        assertThat(arrived.getFirst()).contains("X-one=[/one]", "X-two=[/two]");
    }

    @Test
    void a_service_decides() throws Exception {
        service.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
                send(exchange, 200, "{\"result\": " + body.contains("\"/open\"") + ", \"why\": \"closed today\"}");
            }
        });
        serve("""
                {"type": "api-call", "stage": "authorize", "url": "SERVICE/allow", "method": "POST",
                 "body": {"json": {"path": "{request.path}"}}, "verdict": {"allow": "/result", "reason": "/why"}}""");

        assertThat(get("/open").statusCode()).isEqualTo(200);
        HttpResponse<String> refused = get("/other");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("closed today");
        assertThat(arrived).hasSize(1);
    }

    @Test
    void an_outage_is_503_or_passes_as_the_definition_says_and_a_redirect_leads_nowhere() throws Exception {
        service.createContext("/silent", exchange -> {
            try (exchange) {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        service.createContext("/elsewhere", noting(asked, 200, "{}"));
        service.createContext("/redirect", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().add("Location", "/elsewhere");
                exchange.sendResponseHeaders(302, -1);
            }
        });
        service.createContext("/large", noting(new ArrayList<>(), 200, "\"" + "x".repeat(2_000) + "\""));
        service.createContext("/html", noting(new ArrayList<>(), 200, "<html>"));
        serve("""
                {"type": "api-call", "timeout": "200ms", "url": "SERVICE/silent", "when": {"paths": ["/silent"]}},
                {"type": "api-call", "url": "SERVICE/redirect", "when": {"paths": ["/redirect"]}},
                {"type": "api-call", "url": "SERVICE/large", "maxAnswer": 1024, "when": {"paths": ["/large"]}},
                {"type": "api-call", "name": "x", "url": "SERVICE/html", "when": {"paths": ["/html"]}},
                {"type": "api-call", "url": "SERVICE/redirect", "onOutage": "allow", "take": {"header.X-A": "/a"},
                 "when": {"paths": ["/allowed"]}}""");

        for (String path : new String[] {"/silent", "/redirect", "/large", "/html"}) {
            HttpResponse<String> answer = get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
        assertThat(arrived).isEmpty();
        assertThat(get("/allowed", "X-A", "forged").statusCode()).isEqualTo(200);
        assertThat(arrived.getFirst()).doesNotContain("forged");
        assertThat(asked).isEmpty();
    }

    @Test
    void many_requests_at_once_make_one_call_that_is_remembered() throws Exception {
        service.createContext("/", noting(asked, 200, "{\"v\": 1}"));
        serve(
                "{\"type\": \"api-call\", \"url\": \"SERVICE/\", \"cache\": {\"for\": \"1h\"}, \"take\": {\"header.X-V\": \"/v\"}}");

        var all = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 20; i++)
            all.add(client.sendAsync(HttpRequest.newBuilder(gateway.uri("/")).build(), BodyHandlers.ofString()));
        for (var each : all) assertThat(each.get().statusCode()).isEqualTo(200);

        assertThat(asked).hasSize(1);
        assertThat(arrived).hasSize(20).allSatisfy(each -> assertThat(each).contains("X-v=[1]"));
    }

    @Test
    void what_was_called_goes_into_the_body_and_the_query_and_what_was_answered_into_the_next_call() throws Exception {
        service.createContext("/profile", noting(asked, 200, "{\"segment\": \"gold\", \"tags\": [1, {\"a\": null}]}"));
        service.createContext("/away", noting(asked, 503, ""));
        service.createContext("/note", noting(asked, 204, ""));
        serve("""
                {"type": "api-call", "name": "profile", "url": "SERVICE/profile", "take": {"query.segment": "/segment"}},
                {"type": "api-call", "name": "limit", "url": "SERVICE/away", "default": {"of": 5}},
                {"type": "tag", "set": {"var.order": "{request.body:/order/id}"}},
                {"type": "body-template", "template": "{\\"profile\\": {{fact.profile}}, \\"limit\\": {{fact.limit.of}}}"},
                {"type": "api-call", "on": "response",
                 "url": "SERVICE/note?order={var.order}&status={response.status}&type={response.header.content-type}"},
                {"type": "headers", "response": {"set": {"Content-Type": "text/plain"}}}""");

        var request = HttpRequest.newBuilder(gateway.uri("/orders?segment=forged"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"order\": {\"id\": \"a&b\"}}"));
        assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);

        assertThat(arrived.getFirst())
                .startsWith("POST /orders?segment=gold ")
                .endsWith(" {\"profile\": {\"segment\":\"gold\",\"tags\":[1,{\"a\":null}]}, \"limit\": 5}");
        assertThat(asked.getLast()).startsWith("GET /note?order=a%26b&status=200&type=text%2Fplain ");
    }

    @Test
    void bodies_of_requests_and_answers_are_forwarded_plain() throws Exception {
        service.createContext("/in", noting(asked, 204, ""));
        service.createContext("/out", exchange -> {
            try (exchange) {
                asked.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                exchange.getResponseHeaders().add("Content-Encoding", "gzip");
                byte[] packed = gzip("{\"note\": \"seen\"}");
                exchange.sendResponseHeaders(200, packed.length);
                exchange.getResponseBody().write(packed);
            }
        });
        serve("""
                {"type": "api-call", "url": "SERVICE/in", "method": "PUT", "body": {"forward": true}},
                {"type": "api-call", "on": "response", "url": "SERVICE/out", "method": "POST", "body": {"forward": true},
                 "take": {"header.X-Note": "/note"}}""");

        var request = HttpRequest.newBuilder(gateway.uri("/"))
                .headers("Content-Type", "application/json", "Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(gzip("{\"a\": 1}")));
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());

        assertThat(answer.body()).isEqualTo("from upstream");
        assertThat(answer.headers().firstValue("X-Note")).contains("seen");
        assertThat(asked.getFirst())
                .startsWith("PUT /in ")
                .contains("application/json")
                .endsWith(" {\"a\": 1}");
        assertThat(asked.getLast()).isEqualTo("from upstream");
    }

    @Test
    void a_service_that_is_shown_answers_is_shown_wholes() throws Exception {
        service.createContext("/", noting(asked, 204, ""));
        upstream.createContext("/part", noting(arrived, 206, "from"));
        serve("""
                {"type": "api-call", "on": "response", "url": "SERVICE/look", "method": "POST", "body": {"forward": true},
                 "verdict": {}}""");

        assertThat(get("/", "Range", "bytes=0-3", "If-Range", "\"1\"", "Request-Range", "bytes=0-3")
                        .body())
                .isEqualTo("from upstream");
        assertThat(arrived.getFirst()).doesNotContainIgnoringCase("range=");
        HttpResponse<String> part = get("/part");
        assertThat(part.statusCode()).isEqualTo(502);
        assertThat(part.body()).contains("response-refused");
        assertThat(asked).hasSize(1);
    }

    @Test
    void an_api_that_calls_itself_comes_to_an_end() throws Exception {
        serve("{\"type\": \"api-call\", \"url\": \"SERVICE/\", \"timeout\": \"10s\"}");
        service.createContext(
                "/",
                exchange -> { // where the gateway is found
                    try (exchange) {
                        asked.add(exchange.getRequestHeaders().getFirst("Gateway-Hops"));
                        exchange.sendResponseHeaders(
                                get("/", "Gateway-Hops", asked.getLast()).statusCode(), -1);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });

        assertThat(get("/").statusCode()).isEqualTo(508);
        assertThat(asked).containsExactly("1", "2", "3", "4", "5");
        assertThat(arrived).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET / HTTP/1.1, '', '', false",
        "GET / HTTP/1.1, '', '', true",
        "POST / HTTP/1.1, Content-Length: 3, abc, false",
        "POST / HTTP/1.1, Content-Length: 3, abc, true",
        "POST / HTTP/1.1, Content-Length: 0, GET /next HTTP/1.1, false",
    })
    void a_client_that_leaves_during_a_call_has_nothing_done_by_the_upstream(
            String line, String field, String rest, boolean reset) throws Exception {
        var called = new CountDownLatch(1);
        var left = new CountDownLatch(1);
        service.createContext("/", exchange -> {
            called.countDown();
            awaitIn(left);
            try (exchange) {
                send(exchange, 200, "{}");
            }
        });
        serve("{\"type\": \"api-call\", \"url\": \"SERVICE/\", \"timeout\": \"20s\"}");

        var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.address().getPort());
        String request = line + "\r\nHost: a\r\n" + (field.isEmpty() ? "" : field + "\r\n") + "\r\n" + rest;
        socket.getOutputStream().write(request.getBytes(UTF_8));
        assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
        long since = System.nanoTime();
        until(() -> System.nanoTime() - since > LONG_NANOS);
        if (reset) socket.setSoLinger(true, 0);
        socket.close();
        left.countDown();

        until(() -> records().size() == 1);
        assertThat(records().getFirst().at("/http/response/status_code").asInt())
                .isEqualTo(499);
        assertThat(records().getFirst().at("/gateway/outcome").asString()).isEqualTo("client-gone");
        assertThat(arrived).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"GET / HTTP/1.1, Content-Length: 0, ''", "POST / HTTP/1.1, Content-Length: 3, abc"})
    void a_client_that_sends_ahead_during_a_call_is_answered_in_order(String line, String field, String body)
            throws Exception {
        var called = new CountDownLatch(1);
        var ahead = new CountDownLatch(1);
        service.createContext("/", exchange -> {
            called.countDown();
            awaitIn(ahead);
            try (exchange) {
                send(exchange, 200, "{}");
            }
        });
        serve("{\"type\": \"api-call\", \"url\": \"SERVICE/\", \"timeout\": \"20s\"}");

        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.address().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write((line + "\r\nHost: a\r\n" + field + "\r\n\r\n" + body).getBytes(UTF_8));
            assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
            out.write("PUT /next HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnext"
                    .getBytes(UTF_8));
            ahead.countDown();

            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8).split("HTTP/1.1 200 ", -1))
                    .hasSize(3);
        }
        assertThat(arrived).hasSize(2);
        assertThat(arrived.getFirst()).startsWith(line.substring(0, 4)).endsWith(" " + body);
        assertThat(arrived.get(1)).startsWith("PUT /next ").endsWith(" next");
    }

    private static void awaitIn(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<JsonNode> records() {
        try (var lines = Files.lines(data.resolve("traffic.ndjson"))) {
            return lines.map(Json::parse).toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
