package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.DefinedGateway;
import gateway.app.identity.ForeignTools;
import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Documents and a server of `graphql` of npm: the same verdicts on what needs no schema, and answers through a
/// gateway.
@Timeout(240)
final class ForeignGraphqlTest {
    private static final String PEER = "graphql@17.1.0";
    private static final String SEED = "20260";
    private static final String COUNT = "400";
    private static final int MOST_FIELDS = 12;
    private static final int MOST_DEPTH = 3;

    @TempDir
    private Path data;

    @Test
    void documents_by_the_printer_of_graphql_js_and_broken_ones_get_its_verdicts() throws Exception {
        List<JsonNode> documents = documents();
        var differing = new ArrayList<String>();
        int good = 0;
        int over = 0;
        try (var gateway = MessageGateway.start(data, """
                {"type": "graphql-guard", "depth": %d, "fields": %d, "aliases": 1000, "directives": 1000,
                 "fragments": 1000, "introspection": "allow", "operations": {"subscription": {}}}""".formatted(MOST_DEPTH, MOST_FIELDS))) {
            for (JsonNode each : documents) {
                boolean fits = each.path("fields").asInt(0) <= MOST_FIELDS
                        && each.path("depth").asInt(0) <= MOST_DEPTH;
                boolean passes = each.get("good").booleanValue() && fits;
                if (each.get("good").booleanValue()) good++;
                if (!fits) over++;
                ObjectNode request = Json.mapper().createObjectNode().set("query", each.get("query"));
                if (each.has("operation")) request.set("operationName", each.get("operation"));
                int status = status(gateway.postJson(Json.compact(request)));
                assertThat(status).isIn(200, 400);
                if ((status == 200) != passes) differing.add(status + " " + Json.compact(each));
            }
        }

        assertThat(differing).isEmpty();
        assertThat(documents).hasSize(2 * Integer.parseInt(COUNT));
        assertThat(good).isBetween(200, documents.size() - 200);
        assertThat(over).isGreaterThan(50);
    }

    @Test
    void a_server_of_graphql_js_answers_what_passes_and_never_sees_what_does_not() throws Exception {
        Path folder = ForeignTools.npm(PEER);
        Process server = started(folder, List.of("serve"));
        try (var said = server.inputReader(UTF_8);
                var gateway = DefinedGateway.start(data, """
                {"id": "graph", "match": {"path": "/graphql"}, "policies": [
                   {"type": "graphql-guard", "depth": 4, "batch": 3, "cost": {"limit": 50}}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%s"}]}}""".formatted(said.readLine()))) {
            int port = gateway.address().getPort();

            assertThat(post(port, "{\"query\":\"{user(id: 7) {name}}\"}"))
                    .endsWith("{\"data\":{\"user\":{\"name\":\"u7\"}}}");
            assertThat(post(port, "{\"query\":\"query Q($n: Int) {users(first: $n) {name}}\",\"variables\":{\"n\":2}}"))
                    .endsWith("{\"data\":{\"users\":[{\"name\":\"u0\"},{\"name\":\"u1\"}]}}");
            assertThat(get(port, "{user(id: 8) {...f}} fragment f on User {name}"))
                    .endsWith("{\"data\":{\"user\":{\"name\":\"u8\"}}}");
            for (String attack : List.of(
                    "{\"query\":\"{user {friends {friends {friends {name}}}}}\"}",
                    "{\"query\":\"{users(first: 100) {friends(first: 100) {name}}}\"}",
                    "{\"query\":\"{__schema {types {name}}}\"}",
                    "{\"query\":\"{user {...f}} fragment f on User {friends {...f}}\"}",
                    "{\"query\":\"{user {name}}\",\"query\":\"{users(first: 100) {name}}\"}",
                    "{\"query\":\"query Q($n: Int) {users(first: $n) {name}}\",\"variables\":{\"n\":1000}}"))
                assertThat(post(port, attack))
                        .as(attack)
                        .contains("\"errors\":")
                        .doesNotContain("X-Arrived");
            assertThat(get(port, "mutation {rename(id: 1, name: \"x\") {name}}"))
                    .startsWith("HTTP/1.1 405");
            String batch =
                    "[{\"query\":\"{user(id: 1) {name}}\"},{\"query\":\"mutation {rename(id: 1, name: \\\"x\\\") {name}}\"}]";
            assertThat(post(port, batch))
                    .containsIgnoringCase("X-Arrived: 4\r\n")
                    .endsWith("[{\"data\":{\"user\":{\"name\":\"u1\"}}},{\"data\":{\"rename\":{\"name\":\"x\"}}}]");
        } finally {
            server.destroy();
        }
    }

    private static List<JsonNode> documents() throws IOException, InterruptedException {
        Process process = started(ForeignTools.npm(PEER), List.of("documents", SEED, COUNT));
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        return said.lines().map(Json::parse).toList();
    }

    private static Process started(Path folder, List<String> arguments) throws IOException {
        Path program = ForeignTools.copied("/message/graphql_peer.mjs", folder);
        var command = new ArrayList<>(List.of("node", program.toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String post(int port, String json) throws IOException {
        byte[] body = json.getBytes(UTF_8);
        return plain(RawClient.exchange(
                port,
                "POST /graphql HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
                        + "Content-Length: " + body.length + "\r\n\r\n" + new String(body, ISO_8859_1)));
    }

    private static String get(int port, String query) throws IOException {
        return plain(RawClient.exchange(
                port,
                "GET /graphql?query=" + URLEncoder.encode(query, UTF_8)
                        + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    }

    /// Without the frames of chunks, of which short answers have one.
    private static String plain(String answer) {
        String[] parts = answer.split("\r\n\r\n", 2);
        return parts[0] + "\r\n\r\n"
                + parts[1].replaceAll("(^|\r\n)[0-9a-f]+\r\n", "").strip();
    }
}
