package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/// How APIs tell the gateway's own answers, over sockets.
@Timeout(120)
final class GatewayErrorsTest {
    private static final String OWN = "{\"form\": \"json\", \"contentType\": \"application/vnd.shop+json\","
            + " \"body\": {\"code\": \"{error.type}\", \"http\": \"{error.status}\", \"id\": \"{request.id}\"}}";
    private static final String PAGE = "{\"form\": \"html\"}";
    private static final String SOAP = "{\"form\": \"soap\"}";
    private static final String NOWHERE = "http://127.0.0.1:1";
    private static final String KEY = "\"policies\": [{\"type\": \"key-auth\"}]";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void stop() {
        client.shutdownNow();
    }

    private DefinedGateway gateway(String errors, String upstream, String more) {
        return DefinedGateway.start(data, """
                {"id": "shop", "match": {"path": "/shop"}, "errors": [%s], %s,
                 "upstream": {"timeout": "300ms", "targets": [{"url": "%s"}]}}""".formatted(errors, more, upstream));
    }

    @Test
    void a_refusal_of_a_policy_is_told_in_json_of_its_own_with_status_and_challenge() throws Exception {
        try (var gateway = gateway(OWN, NOWHERE, KEY)) {
            HttpResponse<String> refused = get(gateway, "/shop/a");

            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
            assertThat(refused.headers().allValues("Content-Type")).containsExactly("application/vnd.shop+json");
            String id = refused.headers().firstValue("X-Request-Id").orElseThrow();
            assertThat(Json.parse(refused.body()))
                    .isEqualTo(
                            Json.parse("{\"code\": \"unauthenticated\", \"http\": 401, \"id\": \"%s\"}".formatted(id)));
        }
    }

    @Test
    void a_fault_has_the_status_of_the_binding_where_the_api_wants_it() throws Exception {
        try (var gateway = gateway("{\"form\": \"soap\", \"status\": \"binding\"}", NOWHERE, KEY)) {
            HttpResponse<String> old = post(gateway, "/shop", "text/xml", "<a/>");
            HttpResponse<String> newer = post(gateway, "/shop", "application/soap+xml", "<a/>");

            assertThat(old.statusCode()).isEqualTo(500);
            assertThat(newer.statusCode()).isEqualTo(400);
            assertThat(value(old, "faultcode")).isEqualTo("soap:Client");
            assertThat(value(old, "status")).isEqualTo("401");
            assertThat(old.headers().firstValue("WWW-Authenticate")).isPresent();
        }
    }

    @Test
    void policies_on_the_way_back_see_the_status_of_the_problem() throws Exception {
        String policies = """
                "policies": [
                    {"type": "headers", "response": {"set": {"X-Away": "yes"}}, "when": {"answer": {"statuses": [502]}}}]""";
        try (var gateway = gateway("{\"form\": \"soap\", \"status\": \"binding\"}", NOWHERE, policies)) {
            HttpResponse<String> away = post(gateway, "/shop", "text/xml", "<a/>");

            assertThat(away.statusCode()).isEqualTo(500);
            assertThat(away.headers().firstValue("X-Away")).contains("yes");
            assertThat(value(away, "status")).isEqualTo("502");
        }
    }

    @Test
    void an_upstream_that_is_away_or_slow_is_told_as_a_fault_of_the_version_spoken() throws Exception {
        try (var slow = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                var gateway = gateway(SOAP, NOWHERE, "\"name\": \"Shop\"")) {
            HttpResponse<String> old = post(gateway, "/shop", "text/xml", "<a/>");
            assertThat(old.statusCode()).isEqualTo(502);
            assertThat(old.headers().firstValue("Content-Type")).contains("text/xml; charset=utf-8");
            assertThat(value(old, "faultcode")).isEqualTo("soap:Server");
            assertThat(value(old, "faultstring")).isEqualTo("The upstream refused the connection");
            assertThat(value(old, "type")).isEqualTo("urn:gateway:problem:upstream-unreachable");

            gateway.admin().call("PUT", "/apis/slow", """
                    {"match": {"path": "/slow"}, "errors": [%s],
                     "upstream": {"timeout": "300ms", "targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(SOAP, slow.getLocalPort()));
            HttpResponse<String> newer = post(gateway, "/slow", "application/soap+xml", "<a/>");
            assertThat(newer.statusCode()).isEqualTo(504);
            assertThat(newer.headers().firstValue("Content-Type")).contains("application/soap+xml; charset=utf-8");
            assertThat(value(newer, "soap:Value")).isEqualTo("soap:Receiver");
            assertThat(value(newer, "soap:Text")).isEqualTo("The upstream did not answer in time");
        }
    }

    @Test
    void a_spent_limit_is_told_on_a_page_and_says_when_to_come_back() throws Exception {
        String limit = "\"policies\": [{\"type\": \"rate-limit\", \"requests\": 1, \"per\": \"1h\", \"by\": \"ip\"}]";
        try (var gateway = gateway(PAGE, NOWHERE, limit)) {
            assertThat(get(gateway, "/shop").statusCode()).isEqualTo(502);

            HttpResponse<String> refused = get(gateway, "/shop");

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.headers().firstValue("RateLimit")).isPresent();
            assertThat(refused.headers().firstValue("X-RateLimit-Remaining")).contains("0");
            assertThat(refused.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(refused.body())
                    .startsWith("<!DOCTYPE html>")
                    .contains(
                            "<title>429 ",
                            refused.headers().firstValue("X-Request-Id").orElseThrow());
        }
    }

    @Test
    void a_body_that_is_too_large_is_told_so_by_either_end_of_the_walk() throws Exception {
        try (var gateway = gateway(OWN, NOWHERE, "\"maxBodySize\": \"4B\"")) {
            HttpResponse<String> refused = post(gateway, "/shop", "text/plain", "12345");

            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(refused.body()).startsWith("{\"code\":\"body-too-large\",\"http\":413,");
        }
    }

    @Test
    void what_is_refused_before_the_policies_is_told_so_too_where_an_api_is_found() throws Exception {
        String versions = "\"versions\": {\"in\": \"path\", \"list\": [{\"name\": \"v1\"}]}";
        try (var gateway = gateway(OWN, NOWHERE, versions)) {
            HttpResponse<String> unknown = get(gateway, "/shop/v9");
            assertThat(unknown.statusCode()).isEqualTo(404);
            assertThat(unknown.body()).startsWith("{\"code\":\"version-unknown\",\"http\":404,");
            HttpResponse<String> version = get(gateway, "/shop/v1");
            assertThat(version.statusCode()).isEqualTo(502);
            assertThat(version.body()).startsWith("{\"code\":\"upstream-unreachable\",\"http\":502,");
            HttpResponse<String> slash = get(gateway, "/shop/v1/a%2Fb");
            assertThat(slash.statusCode()).isEqualTo(400);
            assertThat(slash.body()).startsWith("{\"code\":\"bad-path\",\"http\":400,");

            HttpResponse<String> nobodys = get(gateway, "/elsewhere");
            assertThat(nobodys.statusCode()).isEqualTo(404);
            assertThat(nobodys.headers().firstValue("Content-Type")).contains("application/problem+json");
        }
    }

    @Test
    void an_api_that_cannot_be_served_still_tells_errors_its_way() throws Exception {
        try (var gateway = gateway(OWN, NOWHERE, "\"policies\": [{\"type\": \"wish\"}]")) {
            HttpResponse<String> refused = get(gateway, "/shop");

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).startsWith("{\"code\":\"not-configured\",\"http\":503,");
        }
    }

    @Test
    void an_answer_to_head_has_the_length_and_no_content() throws Exception {
        try (var gateway = gateway(PAGE, NOWHERE, KEY)) {
            String answer = RawClient.exchange(
                    gateway.address().getPort(), "HEAD /shop HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

            assertThat(answer)
                    .startsWith("HTTP/1.1 401 ")
                    .endsWith("\r\n\r\n")
                    .containsIgnoringCase("Content-Type: text/html; charset=utf-8")
                    .containsPattern("(?i)content-length: [1-9]");
        }
    }

    @Test
    void answers_of_upstreams_stay_as_they_are() throws Exception {
        byte[] problem = "{\"type\": \"about:blank\"}".getBytes(StandardCharsets.UTF_8);
        HttpServer upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
                exchange.sendResponseHeaders(500, problem.length);
                exchange.getResponseBody().write(problem);
            }
        });
        upstream.start();
        String url = "http://127.0.0.1:" + upstream.getAddress().getPort();
        try (var gateway = gateway(OWN, url, "\"name\": \"Shop\"")) {
            HttpResponse<String> answer = get(gateway, "/shop");

            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(answer.body()).isEqualTo("{\"type\": \"about:blank\"}");
        } finally {
            upstream.stop(0);
        }
    }

    @Test
    void the_client_chooses_by_what_it_accepts_whatever_policies_ask_the_upstream_for() throws Exception {
        String asks = "\"policies\": [{\"type\": \"headers\", \"request\": {\"set\": {\"Accept\": \"text/html\"}}}]";
        try (var gateway = gateway("{\"form\": \"problem\"}, " + OWN + ", " + PAGE, NOWHERE, asks)) {
            assertThat(type(get(gateway, "/shop"))).isEqualTo("application/problem+json");
            assertThat(type(get(gateway, "/shop", "Accept", "application/vnd.shop+json")))
                    .isEqualTo("application/vnd.shop+json");
            HttpResponse<String> page = get(gateway, "/shop", "Accept", "text/html, */*;q=0.1");
            assertThat(type(page)).isEqualTo("text/html; charset=utf-8");
            assertThat(page.headers().allValues("Vary")).containsExactly("Accept");
        }
    }

    @Test
    void pages_of_other_origins_may_read_them_and_they_come_packed() throws Exception {
        String policies = "\"policies\": [{\"type\": \"cors\", \"allowedOrigins\": [\"https://app.example.com\"]},"
                + " {\"type\": \"compression\", \"encodings\": [\"gzip\"], \"minimum\": \"1B\"}, {\"type\": \"key-auth\"}]";
        try (var gateway = gateway(OWN, NOWHERE, policies)) {
            var request = HttpRequest.newBuilder(gateway.uri("/shop"))
                    .header("Origin", "https://app.example.com")
                    .header("Accept-Encoding", "gzip")
                    .build();

            HttpResponse<byte[]> refused = client.send(request, BodyHandlers.ofByteArray());

            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("Access-Control-Allow-Origin"))
                    .contains("https://app.example.com");
            assertThat(refused.headers().firstValue("Content-Encoding")).contains("gzip");
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/vnd.shop+json");
            try (var plain = new GZIPInputStream(new ByteArrayInputStream(refused.body()))) {
                assertThat(Json.parse(new String(plain.readAllBytes(), StandardCharsets.UTF_8))
                                .get("code")
                                .stringValue())
                        .isEqualTo("unauthenticated");
            }
        }
    }

    @Test
    void records_tell_the_reason_as_ever() throws Exception {
        Path log = data.resolve("traffic.ndjson");
        var settings = Map.of("GATEWAY_TRAFFIC_LOG", "file", "GATEWAY_TRAFFIC_LOG_FILE", log.toString());
        try (var gateway = DefinedGateway.start(data, settings, """
                {"id": "shop", "match": {"path": "/shop"}, "errors": [%s],
                 "upstream": {"targets": [{"url": "%s"}]}, %s}""".formatted(SOAP, NOWHERE, KEY))) {
            assertThat(get(gateway, "/shop").statusCode()).isEqualTo(401);
        }

        assertThat(Files.readAllLines(log)).singleElement().satisfies(line -> {
            assertThat(Json.parse(line).at("/gateway/reason").asString()).isEqualTo("unauthenticated");
            assertThat(Json.parse(line).at("/http/response/status_code").asInt())
                    .isEqualTo(401);
        });
    }

    @Test
    void a_form_that_cannot_be_used_is_refused_under_its_pointer() throws Exception {
        try (var gateway = gateway(OWN, NOWHERE, "\"name\": \"Shop\"")) {
            HttpResponse<String> refused = gateway.admin().send("PUT", "/admin/v1/apis/bad", """
                    {"match": {"path": "/bad"}, "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]},
                     "errors": [{"form": "json", "body": {"a": "{error.kind}"}}]}""");

            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(Json.parse(refused.body()).at("/errors/0/pointer").asString())
                    .isEqualTo("/errors/0/body");
        }
    }

    private HttpResponse<String> get(DefinedGateway gateway, String path, String... fields)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(gateway.uri(path));
        if (fields.length > 0) request.headers(fields);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(DefinedGateway gateway, String path, String type, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(gateway.uri(path))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String type(HttpResponse<String> answer) {
        return answer.headers().firstValue("Content-Type").orElseThrow();
    }

    private static String value(HttpResponse<String> answer, String element) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(answer.body().getBytes(StandardCharsets.UTF_8)));
        return document.getElementsByTagName(element).item(0).getTextContent();
    }
}
