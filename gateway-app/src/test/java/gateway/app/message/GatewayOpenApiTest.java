package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests and answers by an OpenAPI document, as bytes on sockets, and what the upstream got of them.
@Timeout(120)
final class GatewayOpenApiTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String DOCUMENT = """
            {"openapi": "3.1.0", "paths": {
              "/items": {
                "get": {"parameters": [
                  {"name": "limit", "in": "query", "schema": {"type": "integer"}},
                  {"name": "words", "in": "query", "schema": {"type": "array", "items": {"pattern": "^[a-z ]+$"}}}]},
                "post": {
                  "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tree"}}}},
                  "responses": {"200": {"content": {"application/json": {"schema": {"required": ["id"]}}}}}}},
              "/items/{id}": {"get": {"parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}}]}},
              "/items/mine": {"get": {}}},
             "components": {"schemas": {"Tree": {"anyOf": [
               {"type": "object", "required": ["name"]},
               {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
               {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}]}}}}""";

    @TempDir
    private Path data;

    private MessageGateway start(String more) {
        return MessageGateway.start(data, "{\"type\": \"openapi-validation\", \"document\": " + DOCUMENT + more + "}");
    }

    private static String get(MessageGateway gateway, String target) {
        return sent(gateway, "GET " + target + " HTTP/1.1\r\n");
    }

    @Test
    void mocks_what_the_document_has_for_requests_that_hold_and_leaves_the_rest_to_the_upstream() {
        String document = """
                {"openapi": "3.1.0", "paths": {"/items": {"get": {
                  "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
                  "responses": {
                    "200": {"description": "", "content": {"application/json": {"example": ["pen"]}, "text/csv": {"example": "pen"}}},
                    "503": {"description": "", "headers": {"Retry-After": {"schema": {"type": "integer", "example": 7}}}}}}}}}""";
        String policies = "{\"type\": \"openapi-validation\", \"unknownPaths\": \"pass\", \"document\": " + document
                + "}, {\"type\": \"openapi-mock\", \"document\": " + document + "}";
        try (var gateway = MessageGateway.start(data, policies)) {
            assertThat(get(gateway, "/items?limit=5"))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Content-Type: application/json\r\n", "Vary: Accept, Prefer\r\n")
                    .endsWith("\r\n\r\n[\"pen\"]");
            assertThat(sent(gateway, "GET /items HTTP/1.1\r\nAccept: text/csv\r\n"))
                    .endsWith("\r\n\r\npen");
            assertThat(sent(gateway, "HEAD /items HTTP/1.1\r\n"))
                    .contains("Content-Length: 7\r\n")
                    .endsWith("\r\n\r\n");
            assertThat(sent(gateway, "GET /items HTTP/1.1\r\nPrefer: code=503\r\n"))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Retry-After: 7\r\n", "Preference-Applied: code=503\r\n");
            assertThat(status(get(gateway, "/items?limit=x"))).isEqualTo(422);
            assertThat(gateway.arrived()).isEmpty();
            assertThat(status(get(gateway, "/other"))).isEqualTo(200);
            assertThat(gateway.arrived()).hasSize(1);
        }
    }

    private static String sent(MessageGateway gateway, String head) {
        try {
            return RawClient.exchange(gateway.port(), head + "Host: a\r\nConnection: close\r\n\r\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void what_the_document_has_arrives_and_nothing_else_does() {
        try (var gateway = start("")) {
            for (String target : new String[] {
                "/items",
                "/items?limit=5&words=a+b&words=c",
                "/items/7",
                "/items/%37",
                "/items/mine",
                "/items?limit=5&x=1"
            }) {
                assertThat(status(get(gateway, target))).as(target).isEqualTo(200);
                assertThat(gateway.arrived()).hasSize(1);
            }
            for (String target : new String[] {
                "/items?limit=5&limit=6",
                "/items?limit=5&%6Cimit=6",
                "/items?limit=%2b5",
                "/items?limit=+5",
                "/items?words=a%2bb",
                "/items?words=",
                "/items/a",
                "/items/7%2e",
                "/items/+7",
                "/items/%2B7"
            }) {
                assertThat(status(get(gateway, target))).as(target).isEqualTo(422);
            }
            for (String target : new String[] {"/", "/items/", "/items/7/8", "/other", "/items/min%65/", "/Items"})
                assertThat(status(get(gateway, target))).as(target).isEqualTo(404);
            for (String target : new String[] {
                "/items/7;x=1", "/items/..%2fother", "/items//7", "/items?words=%C0%AE", "/items?limit=%zz"
            }) assertThat(status(get(gateway, target))).as(target).isIn(400, 404, 422);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void each_error_says_in_which_part_of_the_request_it_is() {
        try (var gateway = start("")) {
            String refused = get(gateway, "/items?limit=x&words=A");

            assertThat(refused).startsWith("HTTP/1.1 422 ").contains("Content-Type: application/problem+json");
            assertThat(Json.parse(refused.substring(refused.indexOf("\r\n\r\n")))
                            .get("errors")
                            .toString())
                    .isEqualTo("""
                            [{"in":"query","pointer":"/limit","message":"type: expected integer"},\
                            {"in":"query","pointer":"/words/0","message":"pattern: expected text that the pattern of the schema matches"}]""");
        }
    }

    @Test
    void bodies_are_looked_at_packed_or_not() {
        byte[] good = "[{\"name\":\"a\"}]".getBytes(UTF_8);
        byte[] bad = "[{\"nam\":\"a\"}]".getBytes(UTF_8);
        try (var gateway = start(", \"response\": \"enforce\"")) {
            gateway.answers(JSON, "{\"id\":1}".getBytes(UTF_8));
            assertThat(status(gateway.post(JSON, good))).isEqualTo(200);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", gzip(good))))
                    .isEqualTo(200);
            assertThat(gateway.arrived()).hasSize(2);

            assertThat(status(gateway.post(JSON, bad))).isEqualTo(422);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", gzip(bad))))
                    .isEqualTo(422);
            assertThat(status(gateway.post("Content-Type: text/plain", good))).isEqualTo(415);
            assertThat(status(gateway.post(JSON + "\n" + JSON, good))).isIn(400, 415);
            assertThat(status(gateway.post(JSON, "[{\"name\":1,\"name\":2}]".getBytes(UTF_8))))
                    .isEqualTo(400);
            assertThat(gateway.post(JSON, ("[".repeat(40) + "1" + "]".repeat(40)).getBytes(UTF_8)))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("content-too-complex");
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void answers_that_are_not_so_do_not_come_through() {
        try (var gateway = start(", \"response\": \"enforce\"")) {
            gateway.answers(JSON, "{\"secret\":1}".getBytes(UTF_8));
            assertThat(gateway.postJson("{\"name\":\"a\"}"))
                    .startsWith("HTTP/1.1 502 ")
                    .contains("response-refused", "\"in\":\"body\"")
                    .doesNotContain("secret");

            gateway.answers(JSON + "\nContent-Encoding: gzip", gzip("{\"id\":1}".getBytes(UTF_8)));
            assertThat(status(gateway.postJson("{\"name\":\"a\"}"))).isEqualTo(200);
        }
    }
}
