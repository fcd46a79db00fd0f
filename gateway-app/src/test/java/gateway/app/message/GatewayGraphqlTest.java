package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Attacks by GraphQL as bytes on sockets, and what the upstream got of them.
@Timeout(120)
final class GatewayGraphqlTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String GUARD = "{\"type\": \"graphql-guard\", \"cost\": {\"limit\": 1000}}";

    @TempDir
    private Path data;

    private static String json(String query) {
        return Json.compact(Json.mapper().createObjectNode().put("query", query));
    }

    @Test
    void what_is_bounded_passes_as_it_came_packed_or_not() {
        try (var gateway = MessageGateway.start(data, GUARD)) {
            String request = json("{order(id: 7) {lines(first: 5) {name}}}");
            byte[] packed = gzip(request.getBytes(UTF_8));

            assertThat(status(gateway.postJson(request))).isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(request);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", packed)))
                    .isEqualTo(200);
            assertThat(gateway.arrived()).hasSize(1);
            byte[] deep = gzip(json("{a".repeat(11) + "}".repeat(11)).getBytes(UTF_8));
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", deep)))
                    .isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void floods_never_arrive() {
        var doubling = new StringBuilder("{...f0}");
        for (int i = 0; i < 60; i++) doubling.append("fragment f%d on T {...f%d ...f%d}".formatted(i, i + 1, i + 1));
        doubling.append("fragment f60 on T {a}");
        var aliases = new StringBuilder("{");
        for (int i = 0; i < 5_000; i++) aliases.append('a').append(i).append(":a ");
        try (var gateway = MessageGateway.start(data, GUARD)) {
            for (String attack : List.of(
                    doubling.toString(),
                    aliases + "}",
                    "{a".repeat(5_000) + "}".repeat(5_000),
                    "{a(b: " + "[".repeat(20_000) + "]".repeat(20_000) + ")}",
                    "{a(b: " + "{c: ".repeat(10_000) + "1" + "}".repeat(10_000) + ")}",
                    "{" + "a ".repeat(100_000) + "}",
                    "{a " + "@d".repeat(5_000) + "}",
                    "{a " + "#\n".repeat(25_000) + "}",
                    "#".repeat(200_000) + "\n{a}",
                    "{a(first: " + "9".repeat(60_000) + ")}",
                    "{a(first: 1000) {b(first: 1000) {c}}}",
                    "{...f} fragment f on T {b {...g}} fragment g on T {c {...f}}",
                    "{__schema {types {fields {type {fields {name}}}}}}")) {
                String answer = gateway.postJson(json(attack));
                assertThat(status(answer)).as(attack.substring(0, 20)).isIn(400, 403);
                assertThat(answer).contains("application/graphql-response+json", "\"errors\":[{\"message\":");
            }
            String one = json("{a}");
            assertThat(status(gateway.postJson("[" + (one + ",").repeat(1_000) + one + "]")))
                    .isEqualTo(400);
            assertThat(status(gateway.postJson(
                            json("{a}").replace("}\"", "}\",\"variables\":{\"x\":[" + "1,".repeat(2_000) + "1]}"))))
                    .isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void requests_that_two_servers_read_as_two_never_arrive() throws IOException {
        try (var gateway = MessageGateway.start(data, GUARD)) {
            for (String each : List.of(
                    "{\"query\":\"{a}\",\"query\":\"{b}\"}",
                    "{\"query\":\"{a}\",\"QUERY\":\"{b}\"}",
                    "{\"query\":\"{a}\",\"variables\":\"{}\"}",
                    "{\"query\":\"{a} {b}\"}",
                    "{\"query\":\"query A {a} query A {b}\"}",
                    "{\"query\":\"{...f} fragment f on T {a} fragment f on T {b}\"}"))
                assertThat(status(gateway.postJson(each))).as(each).isEqualTo(400);
            assertThat(send(gateway, "POST /?query=%7Bb%7D", JSON, json("{a}"))).isEqualTo(400);
            assertThat(send(gateway, "GET /?query=%7Ba%7D&query=%7Bb%7D", "", ""))
                    .isEqualTo(400);
            assertThat(send(gateway, "GET /?query=%7Ba%7D%23;query=%7Bb%7D", "", ""))
                    .isEqualTo(400);
            assertThat(send(gateway, "GET /?query=mutation%7Ba%7D", "", "")).isEqualTo(405);
            assertThat(send(gateway, "POST /", "Content-Type: text/plain", json("{a}")))
                    .isEqualTo(415);
            assertThat(send(gateway, "POST /", "Content-Type: application/x-www-form-urlencoded", "query={a}"))
                    .isEqualTo(415);
            assertThat(send(gateway, "POST /", JSON + "\nContent-Type: text/plain", json("{a}")))
                    .isEqualTo(415);
            assertThat(send(gateway, "DELETE /", JSON, json("{a}"))).isEqualTo(405);
            assertThat(send(gateway, "POST /", JSON, "")).isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void subscriptions_pass_neither_as_requests_nor_over_web_sockets() throws IOException {
        String handshake = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
        try (var gateway = MessageGateway.start(data, GUARD)) {
            assertThat(status(gateway.postJson(json("subscription {a}")))).isEqualTo(403);
            assertThat(send(gateway, "GET /?query=%7Ba%7D", handshake, "")).isEqualTo(403);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void what_only_looks_like_a_handshake_arrives_with_nothing_to_execute() throws IOException {
        String fields = "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
        try (var gateway = MessageGateway.start(data, "{\"type\": \"graphql-guard\", \"webSockets\": true}")) {
            String mutation = json("mutation {a} mutation {b}");
            assertThat(send(gateway, "POST /", JSON + "\n" + fields, mutation)).isEqualTo(400);
            assertThat(send(gateway, "GET /?query=%7Ba%7D", fields, "")).isEqualTo(400);
            assertThat(send(gateway, "GET /?query%5B%5D=%7Ba%7D", fields, "")).isEqualTo(400);
            assertThat(send(gateway, "GET /?query=%7Ba%7D", "Connection: Upgrade\nUpgrade: websocket\n" + fields, ""))
                    .isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void documents_that_are_named_arrive_spelled_out() throws IOException {
        Files.createDirectories(data.resolve("resources"));
        Files.writeString(data.resolve("resources/queries.json"), "{\"first\": \"{a}\"}");
        try (var gateway = MessageGateway.start(data, """
                {"type": "graphql-guard", "persisted": {"queries": {"resource": "queries.json"}, "only": true}}""")) {
            assertThat(status(gateway.postJson("{\"documentId\":\"first\"}"))).isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly("{\"query\":\"{a}\"}");
            assertThat(status(gateway.postJson("{\"documentId\":\"second\"}"))).isEqualTo(400);
            assertThat(status(gateway.postJson(json("{b}")))).isEqualTo(403);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    /// @param line method and target
    /// @param fields a line each
    private static int send(MessageGateway gateway, String line, String fields, String body) throws IOException {
        String more = fields.lines().map(each -> each + "\r\n").reduce("", String::concat);
        String close = fields.contains("Connection") ? "" : "Connection: close\r\n";
        String length = line.startsWith("GET") ? "" : "Content-Length: " + body.length() + "\r\n";
        return status(RawClient.exchange(
                gateway.port(), line + " HTTP/1.1\r\nHost: a\r\n" + close + more + length + "\r\n" + body));
    }
}
