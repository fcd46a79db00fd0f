package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.identity.ForeignTools;
import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Requests at a whole gateway get the verdicts that `openapi-core` gives by the same document.
@Timeout(240)
final class OpenApiVerdictsTest {
    private static final String PEER = "openapi-core==0.23.1";
    private static final String FORM = "application/x-www-form-urlencoded";

    /// Where we are stricter, knowing why: Python reads `+5` as a number and `1` as true, and the peer forgets fields
    /// that the schema forbids.
    private static final List<String> STRICTER = List.of(
            "GET /pets?limit=%2B5 ", "GET /pets?sold=1 ", "POST /pets name=Rex&other=1", "GET /pets?limit=1&limit=2 ");

    private record Asked(String method, String path, String query, Map<String, String> fields, String body) {
        @Override
        public String toString() {
            return method + ' ' + path + (query.isEmpty() ? "" : '?' + query) + ' ' + body;
        }
    }

    @TempDir
    private Path data;

    private static List<Asked> requests() {
        var all = new ArrayList<Asked>();
        for (String query : """
                ; limit=5; limit=0; limit=101; limit=; limit=x; limit=5.5; limit=5&other=1; limit=%2B5; limit=99999999999;
                limit=1&limit=2; status=sold; status=lost; tags=a; tags=a&tags=b; tags=a&tags=b&tags=c&tags=d; tags=; tags=a+b;
                ids=1,2; ids=1,x; ids=7; piped=1%7C2; piped=1%7Cx; price=0; price=0.5; price=-1; sold=true; sold=maybe; sold=1;
                page[size]=5; page[size]=x; page[other]=1""".split(";", -1)) {
            all.add(new Asked("GET", "/pets", query.strip(), Map.of(), ""));
        }
        for (String path :
                "/pets/7 /pets/x /pets/mine /pets/7/x /other /pets/-3 /pets/9223372036854775808 /areas/1,2 /areas/1,x /areas/5"
                        .split(" ", -1)) all.add(new Asked("GET", path, "", Map.of(), ""));
        for (Map<String, String> fields : List.of(
                Map.of("X-Flags", "1,2"),
                Map.of("X-Flags", "1,x"),
                Map.of("Cookie", "session=abc"),
                Map.of("Cookie", "session=a"))) all.add(new Asked("GET", "/pets", "", fields, ""));
        all.add(new Asked("DELETE", "/pets/7", "", Map.of(), ""));
        all.add(new Asked("PUT", "/pets/7", "", Map.of(), ""));
        all.add(new Asked("POST", "/pets", "", Map.of(), ""));
        for (String json : """
                {"name":"Rex"}; {"name":""}; {}; []; {"name":"Rex","tag":null}; {"name":null}; {"name":"Rex","id":5};
                {"name":"Rex","born":"2020-02-30"}; {"name":"Rex","born":"2020-02-29"}; {"name":"R2"}; {"name":;
                {"name":"Rex","parent":{}}; {"name":"Rex","parent":{"name":"Max"}}; {"name":"Rex","other":1};
                {"name":"Rex","home":{"kind":"house","street":"a"}}; {"name":"Rex","home":{"kind":"barn","street":"a"}};
                {"name":"Rex","home":{"kind":"barn","boxes":2}}; {"name":"Rex","home":{"kind":"ship","boxes":2}};
                {"name":"Rex","home":{"street":"a"}}; {"name":"aaaaaaaaaaaaaaaaaaaaa"}""".split(";", -1)) {
            all.add(new Asked("POST", "/pets", "", Map.of("Content-Type", "application/json"), json.strip()));
        }
        for (String form :
                "name=Rex name=R age=5 name=Rex&age=5 name=Rex&age=x name=Rex&other=1 name=R+x".split(" ", -1))
            all.add(new Asked("POST", "/pets", "", Map.of("Content-Type", FORM), form));
        all.add(new Asked("POST", "/pets", "", Map.of("Content-Type", "text/csv"), "a"));
        return all;
    }

    @Test
    void are_those_of_openapi_core_but_where_we_are_stricter() throws Exception {
        Path python = ForeignTools.python(PEER);
        JsonNode document;
        try (var text = getClass().getResourceAsStream("/message/petstore.yaml")) {
            document = new YAMLMapper().readTree(text);
        }
        List<Asked> requests = requests();
        List<String> theirs = theirs(python, document, requests);
        var differing = new ArrayList<String>();
        var taken = new ArrayList<Asked>();

        try (var gateway = MessageGateway.start(
                data, "{\"type\": \"openapi-validation\", \"document\": " + Json.compact(document) + "}")) {
            for (int i = 0; i < requests.size(); i++) {
                Asked each = requests.get(i);
                int status = status(send(gateway.port(), each));
                assertThat(status).as(each.toString()).isIn(200, 400, 404, 405, 415, 422);
                if (status == 200) taken.add(each);
                if ((status == 200) != theirs.get(i).equals("taken")) differing.add(each.toString());
            }
            assertThat(gateway.arrived()).hasSameSizeAs(taken);
        }

        assertThat(differing).containsExactlyInAnyOrderElementsOf(STRICTER);
        assertThat(taken).hasSizeBetween(20, requests.size() - 20);
    }

    private static String send(int port, Asked asked) throws IOException {
        var head = new StringBuilder(asked.method + ' ' + asked.path)
                .append(asked.query.isEmpty() ? "" : '?' + asked.query)
                .append(" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
        asked.fields.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (asked.method.equals("POST"))
            head.append("Content-Length: ").append(asked.body.length()).append("\r\n");
        return RawClient.exchange(port, head + "\r\n" + asked.body);
    }

    private List<String> theirs(Path python, JsonNode document, List<Asked> requests) throws Exception {
        var given = Json.mapper().createObjectNode();
        given.set("document", document);
        var list = given.putArray("requests");
        for (Asked each : requests) {
            var one = list.addArray().add(each.method).add(each.path).add(each.query);
            var fields = one.addObject();
            each.fields.forEach(fields::put);
            one.add(each.body);
        }
        Path input = Files.writeString(data.resolve("requests.json"), Json.compact(given));
        Path program = data.resolve("verdicts.py");
        try (var text = getClass().getResourceAsStream("/message/openapi-verdicts.py")) {
            Files.write(program, text.readAllBytes());
        }
        Path output = data.resolve("verdicts.json");
        Path errors = data.resolve("errors");
        Process process = new ProcessBuilder(python.toString(), program.toString())
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        assertThat(process.waitFor(100, TimeUnit.SECONDS) && process.exitValue() == 0)
                .as(Files.readString(errors))
                .isTrue();
        var verdicts = new ArrayList<String>();
        for (JsonNode each : Json.parse(Files.readAllBytes(output), _ -> {}).values()) verdicts.add(each.stringValue());
        return verdicts;
    }
}
