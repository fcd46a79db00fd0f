package gateway.app.admin;

import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Requests that nobody has sent, explained over HTTP.
final class ExplainTest {
    private final AdminServer server = new AdminServer();

    @BeforeEach
    void store() {
        server.post("/apis", """
            {"id": "orders", "name": "Orders", "match": {"path": "/orders", "methods": ["GET", "POST"]},
             "stripPath": true, "maxBodySize": "16B",
             "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "policies": [
               {"type": "ip-filter", "deny": ["198.51.100.0/24"], "mode": "report"},
               {"type": "key-auth", "header": "X-Secret", "query": "secret"},
               {"type": "rate-limit", "requests": 2, "per": "1h"},
               {"type": "headers", "id": "tenant", "when": {"facts": {"/jwt/tenant": "*"}},
                "request": {"set": {"X-Tenant": "{fact:/jwt/tenant}"}}}]}""");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void every_step_says_what_it_would_and_the_upstreams_request_is_shown() {
        String secret = json(server.post("/keys", "{\"id\": \"k1\", \"name\": \"Al\", \"apis\": {\"orders\": {}}}"))
                .get("secret")
                .stringValue();

        JsonNode told = explained("""
            {"host": "api.example.com:8080", "path": "/orders/7?secret=&x=1", "client": "198.51.100.7",
             "headers": {"x-secret": "%s", "Connection": "X-Hop", "X-Hop": "1", "X-Forwarded-For": "10.0.0.1",
                         "Accept": ["text/plain", "text/html"], "X-Mine": "1"},
             "facts": {"jwt": {"tenant": "gold"}}}""".formatted(secret));

        assertThat(told.get("revision").intValue()).isEqualTo(1);
        assertThat(told.get("request")).isEqualTo(Json.parse("""
            {"method": "GET", "host": "api.example.com", "path": "/orders/7", "client": "198.51.100.7"}"""));
        assertThat(told.get("route")).isEqualTo(Json.parse("""
            {"api": "orders", "name": "Orders", "match": "/orders", "pathInApi": "/7"}"""));
        assertThat(steps(told))
                .containsExactly(
                        "ip-filter: stop 403 forbidden report",
                        "key-auth: proceed",
                        "rate-limit: proceed 2 of 2",
                        "key:rate-limit: proceed",
                        "key:quota: proceed",
                        "tenant: proceed when true");
        assertThat(told.at("/steps/5/type").stringValue()).isEqualTo("headers");
        assertThat(told.at("/steps/1/micros").isNumber()).isTrue();
        assertThat(told.get("caller")).isEqualTo(Json.parse("{\"id\": \"k1\", \"name\": \"Al\", \"accepted\": true}"));
        assertThat(told.get("facts")).isEqualTo(Json.parse("{\"jwt\": {\"tenant\": \"gold\"}}"));
        JsonNode upstream = told.get("upstream");
        assertThat(upstream.get("path").stringValue()).isEqualTo("/7");
        assertThat(upstream.get("query").stringValue()).isEqualTo("x=1");
        assertThat(upstream.get("targets")).isEqualTo(Json.parse("[\"http://127.0.0.1:9\"]"));
        JsonNode headers = upstream.get("headers");
        assertThat(headers.get("X-Tenant")).isEqualTo(Json.parse("[\"gold\"]"));
        assertThat(headers.get("Accept")).isEqualTo(Json.parse("[\"text/plain\", \"text/html\"]"));
        assertThat(headers.get("X-Forwarded-For")).isEqualTo(Json.parse("[\"198.51.100.7\"]"));
        assertThat(headers.propertyNames()).contains("X-Request-Id", "traceparent", "X-Mine");
        assertThat(headers.propertyNames()).doesNotContain("X-Hop", "Host", "x-secret", "Connection");
    }

    @Test
    void no_credential_is_shown_again() {
        HttpResponse<String> answer = server.post("/explain", """
            {"path": "/orders?secret=in-query-5", "headers": {"Authorization": "Bearer in-header-6",
             "Cookie": "a=in-cookie-7", "X-Secret": "in-own-8"}}""");
        server.put("/apis/orders", """
            {"match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "policies": [{"type": "headers", "request": {"set": {"X-Mine": "1"}}},
               {"type": "key-auth", "header": "X-Secret", "query": "secret", "forwardCredential": true,
                "when": {"methods": ["PUT"]}}]}""");
        HttpResponse<String> passed = server.post("/explain", """
            {"path": "/orders?secret=in-query-5", "headers": {"Authorization": "Bearer in-header-6",
             "Cookie": "a=in-cookie-7", "X-Secret": "in-own-8"}}""");

        assertThat(json(answer).at("/answer/reason").stringValue()).isEqualTo("unauthenticated");
        assertThat(json(passed).at("/upstream/query").stringValue()).isEqualTo("secret=***");
        assertThat(json(passed).at("/upstream/headers/Authorization")).isEqualTo(Json.parse("[\"***\"]"));
        assertThat(answer.body() + passed.body())
                .doesNotContain("in-query-5", "in-header-6", "in-cookie-7", "in-own-8");
    }

    @Test
    void a_refusal_is_shown_as_the_policy_gives_it() {
        JsonNode told = explained("{\"path\": \"/orders\"}");

        assertThat(steps(told))
                .containsExactly(
                        "ip-filter: proceed report",
                        "key-auth: stop 401 unauthenticated",
                        "rate-limit: not-reached",
                        "key:rate-limit: not-reached",
                        "key:quota: not-reached",
                        "tenant: not-reached");
        assertThat(told.at("/answer/status").intValue()).isEqualTo(401);
        assertThat(told.at("/answer/headers/WWW-Authenticate/0").stringValue()).isEqualTo("ApiKey realm=\"orders\"");
        assertThat(told.at("/answer/body").stringValue()).contains("The API key is missing");
        assertThat(told.has("upstream")).isFalse();
    }

    @Test
    void why_no_api_serves_it_is_told() {
        assertThat(answer("{\"path\": \"/other\"}")).isEqualTo("404 not-found");
        assertThat(answer("{\"path\": \"/orders\", \"method\": \"DELETE\"}")).isEqualTo("405 method-not-allowed");
        assertThat(answer("{\"path\": \"/a/%2e%2e/orders\"}")).isEqualTo("400 bad-path");
        assertThat(answer("{\"path\": \"/orders/a%2Fb\"}")).isEqualTo("400 bad-path");
        assertThat(answer("{\"path\": \"/orders?a=%\"}")).isEqualTo("400 bad-query");
        assertThat(explained("{\"path\": \"/other\"}").has("route")).isFalse();
    }

    @Test
    void the_version_that_is_chosen_is_told() {
        server.post("/apis", """
            {"id": "versioned", "match": {"path": "/v"}, "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]},
             "versions": {"in": "header", "name": "X-V", "list": [{"name": "v1",
               "policies": [{"type": "mock-response", "json": {"a": 1}}]}]}}""");

        JsonNode told = explained("{\"path\": \"/v\", \"headers\": {\"X-V\": \"v1\"}}");

        assertThat(told.at("/route/version").stringValue()).isEqualTo("v1");
        assertThat(steps(told)).contains("v1/mock-response: answer 200");
        assertThat(told.at("/answer/body").stringValue()).isEqualTo("{\"a\":1}");
        assertThat(answer("{\"path\": \"/v\"}")).isEqualTo("400 version-missing");
    }

    @Test
    void a_request_that_cannot_be_is_refused_with_every_problem() {
        HttpResponse<String> refused = server.post("/explain", """
            {"path": "orders", "method": "get it", "scheme": "ftp", "host": "a b", "client": "localhost",
             "headers": {"a b": "x", "Host": "h", "X": "a\\nb"}, "body": {}, "surprise": 1}""");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(json(refused)
                        .get("errors")
                        .valueStream()
                        .map(each -> each.get("pointer").stringValue()))
                .containsExactlyInAnyOrder(
                        "/path",
                        "/method",
                        "/scheme",
                        "/host",
                        "/client",
                        "/headers/a b",
                        "/headers/Host",
                        "/headers/X",
                        "/body",
                        "/surprise");
    }

    private JsonNode explained(String request) {
        HttpResponse<String> answer = server.post("/explain", request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    private String answer(String request) {
        JsonNode answer = explained(request).get("answer");
        return answer.get("status").intValue() + " " + answer.get("reason").stringValue();
    }

    private static List<String> steps(JsonNode told) {
        return told.get("steps").valueStream().map(ExplainTest::step).toList();
    }

    private static String step(JsonNode step) {
        var text = new StringBuilder(
                step.get("step").stringValue() + ": " + step.get("verdict").stringValue());
        if (step.has("status")) text.append(' ').append(step.get("status").intValue());
        if (step.has("reason")) text.append(' ').append(step.get("reason").stringValue());
        if (step.has("limit"))
            text.append(' ')
                    .append(step.at("/limit/remaining").intValue())
                    .append(" of ")
                    .append(step.at("/limit/limit").intValue());
        if (step.has("condition"))
            text.append(" when ").append(step.get("condition").booleanValue());
        if (step.has("mode")) text.append(' ').append(step.get("mode").stringValue());
        return text.toString();
    }
}
