package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.identity.ForeignTools;
import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Messages that programs of other makers have signed and encrypted are opened here, and theirs open what was closed
/// here: `jwcrypto` of PyPI and `jose` of npm.
@Timeout(400)
final class ForeignJoseTest {
    private static final String ORDER = "{\"id\":7,\"sum\":1.50}";
    private static final List<String> SHARED = List.of("HS256", "A256KW", "dir");
    private static final Map<String, String> ENCRYPTION = Map.of(
            "RSA-OAEP", "A256GCM",
            "RSA-OAEP-256", "A128GCM",
            "ECDH-ES", "A256GCM",
            "ECDH-ES+A128KW", "A256GCM",
            "A256KW", "A256GCM",
            "dir", "A128CBC-HS256");

    @TempDir
    private Path data;

    @Test
    void jwcrypto_and_the_gateway_open_what_the_other_has_closed() throws Exception {
        Path python = ForeignTools.python("jwcrypto==1.6.1");
        Path program = ForeignTools.copied("/message/jose_peer.py", python.getParent());

        assertBothWays(List.of(python.toString(), program.toString()), program.getParent());
    }

    @Test
    void jose_of_npm_and_the_gateway_open_what_the_other_has_closed() throws Exception {
        Path folder = ForeignTools.npm("jose@6.2.17");
        Path program = ForeignTools.copied("/message/jose_peer.mjs", folder);

        assertBothWays(List.of("node", program.toString()), folder);
    }

    private void assertBothWays(List<String> peer, Path folder) throws Exception {
        List<JsonNode> lines = run(peer, folder, "make", "");
        JsonNode keys = lines.getLast().get("keys");
        List<JsonNode> messages = lines.subList(0, lines.size() - 1);
        var environment = new HashMap<String, String>();
        keys.propertyNames()
                .forEach(name -> environment.put(
                        variable(name), Json.compact(keys.get(name).get("private"))));
        try (var gateway = MessageGateway.start(data, policies(messages, keys), environment)) {
            assertOpened(gateway, messages);
            assertOpenedBy(peer, folder, gateway, messages, keys);
        }
    }

    private static void assertOpened(MessageGateway gateway, List<JsonNode> messages) {
        gateway.answers("", new byte[0]);
        for (JsonNode each : messages) {
            boolean detached = text(each, "form").equals("detached");
            String fields = "X-Open: " + text(each, "case") + ' ' + text(each, "form")
                    + (detached ? "\nX-JWS-Signature: " + text(each, "text") : "");

            String answer = gateway.post(fields, (detached ? ORDER : text(each, "text")).getBytes(UTF_8));

            boolean good = each.get("good").booleanValue();
            assertThat(status(answer)).as(each.toString()).isEqualTo(good ? 200 : 401);
            assertThat(gateway.arrived()).isEqualTo(good ? List.of(ORDER) : List.of());
        }
        assertThat(messages).hasSize(2 * (7 * 3 + 6 * 2));
    }

    private static void assertOpenedBy(
            List<String> peer, Path folder, MessageGateway gateway, List<JsonNode> messages, JsonNode keys)
            throws Exception {
        gateway.answers("Content-Type: application/json", ORDER.getBytes(UTF_8));
        var closed = new StringBuilder();
        int count = 0;
        for (JsonNode each : messages) {
            if (!each.get("good").booleanValue()) continue;
            String answer = RawClient.exchange(
                    gateway.port(),
                    "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Close: %s %s\r\n\r\n"
                            .formatted(text(each, "case"), text(each, "form")));
            assertThat(status(answer)).as(answer).isEqualTo(200);
            boolean detached = text(each, "form").equals("detached");
            assertThat(answer.endsWith(ORDER)).as(answer).isEqualTo(detached);
            closed.append(Json.compact(line(each, answer, keys))).append('\n');
            count++;
        }

        List<JsonNode> opened = run(peer, folder, "open", closed.toString());

        assertThat(opened)
                .hasSize(count)
                .allSatisfy(each -> assertThat(text(each, "payload")).isEqualTo(ORDER));
    }

    /// A private key opens what is encrypted; whoever verifies has the public one.
    private static ObjectNode line(JsonNode message, String answer, JsonNode keys) {
        String name = text(message, "case");
        boolean detached = text(message, "form").equals("detached");
        JsonNode pair = keys.get(name);
        boolean secret = ENCRYPTION.containsKey(name) || SHARED.contains(name);
        String text = detached
                ? answer.lines()
                        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("x-jws-signature: "))
                        .map(line -> line.substring("x-jws-signature: ".length()))
                        .findFirst()
                        .orElseThrow()
                : answer.substring(answer.indexOf("\r\n\r\n") + 4);
        ObjectNode line = Json.mapper().createObjectNode();
        line.put("case", name).put("form", text(message, "form")).put("text", text);
        line.set("key", pair.get(secret ? "private" : "public"));
        return line;
    }

    private static String policies(List<JsonNode> messages, JsonNode keys) {
        var policies = new ArrayList<String>();
        for (JsonNode each : messages) {
            if (!each.get("good").booleanValue()) continue;
            String name = text(each, "case");
            String form = text(each, "form");
            String secret = "{\"env\": \"%s\"}".formatted(variable(name));
            String others = SHARED.contains(name)
                    ? "\"secret\": " + secret
                    : "\"keys\": {\"keys\": [%s]}".formatted(keys.get(name).get("public"));
            boolean signed = !ENCRYPTION.containsKey(name);
            String opening = signed
                    ? "{\"verify\": {\"form\": \"%s\", \"algorithms\": [\"%s\"], %s}}".formatted(form, name, others)
                    : "{\"decrypt\": {\"form\": \"%s\", \"algorithms\": [\"%s\"], \"encryption\": [\"%s\"], \"keys\": %s}}"
                            .formatted(form, name, ENCRYPTION.get(name), secret);
            String closing = signed
                    ? "{\"sign\": {\"form\": \"%s\", \"algorithm\": \"%s\", \"key\": %s}}".formatted(form, name, secret)
                    : "{\"encrypt\": {\"form\": \"%s\", \"algorithm\": \"%s\", \"encryption\": \"%s\", %s}}"
                            .formatted(form, name, ENCRYPTION.get(name), others);
            policies.add(policy("request", opening, "X-Open", name + ' ' + form));
            policies.add(policy("response", closing, "X-Close", name + ' ' + form));
        }
        return String.join(",\n", policies);
    }

    private static String policy(String side, String step, String field, String value) {
        return "{\"type\": \"jose\", \"%s\": [%s], \"when\": {\"headers\": {\"%s\": \"%s\"}}}"
                .formatted(side, step, field, value);
    }

    private static String variable(String name) {
        return "GATEWAY_SECRET_" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    private static List<JsonNode> run(List<String> peer, Path folder, String what, String input)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(peer);
        command.add(what);
        command.add(ORDER);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(UTF_8));
        }
        List<JsonNode> lines = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .map(Json::parse)
                .toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }

    private static String text(JsonNode json, String name) {
        return json.get(name).stringValue();
    }
}
