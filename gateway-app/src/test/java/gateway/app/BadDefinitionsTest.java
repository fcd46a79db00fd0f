package gateway.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Definitions that name what is not there or cannot be used: a write of one is refused under its pointer and changes
/// nothing; at a start that API alone is left out, and the rest serves.
@Timeout(120)
final class BadDefinitionsTest {
    private static final String LIST = "[1, 2";

    @TempDir
    private Path data;

    @TempDir
    private Path secrets;

    private HttpServer upstream;

    private enum Flaw {
        UNKNOWN_SET("{\"use\": \"silver\"}", "/policies/0/use", "unknown policy set \"silver\""),
        CIRCLE_OF_SETS("{\"use\": \"round\"}", "/policies/0/use", "has problems"),
        UNKNOWN_SECRET(
                basic("{\"secret\": \"nobody\"}"), "/policies/0/basic/password", "there is no secret \"nobody\""),
        MISSING_FILE(basic("{\"file\": \"missing\"}"), "/policies/0/basic/password", "missing"),
        UNREADABLE_FILE(basic("{\"file\": \"folder\"}"), "/policies/0/basic/password", "folder"),
        FILE_THAT_OTHERS_WRITE(basic("{\"file\": \"open\"}"), "/policies/0/basic/password", "open"),
        FILE_OUT_OF_THE_FOLDER(
                basic("{\"file\": \"../open\"}"), "/policies/0/basic/password/file", "below the secrets folder"),
        UNKNOWN_RESOURCE(
                "{\"type\": \"mock-response\", \"body\": {\"resource\": \"nowhere.html\"}}",
                "/policies/0/body",
                "unknown resource \"nowhere.html\""),
        RESOURCE_THAT_DOES_NOT_PARSE(
                "{\"type\": \"json-schema\", \"schema\": {\"resource\": \"broken.json\"}}",
                "/policies/0/schema",
                "broken.json"),
        GRAMMAR_THAT_DOES_NOT_PARSE(
                "{\"type\": \"xml-schema\", \"schemas\": [{\"resource\": \"broken.json\"}]}",
                "/policies/0/schemas/0",
                "broken.json"),
        UNKNOWN_STAGE(
                "{\"type\": \"headers\", \"stage\": \"tomorrow\", \"request\": {\"remove\": [\"A\"]}}",
                "/policies/0/stage",
                "\"tomorrow\""),
        STAGE_OF_OTHERS(
                "{\"type\": \"headers\", \"stage\": \"cache\", \"request\": {\"remove\": [\"A\"]}}",
                "/policies/0/stage",
                "\"cache\""),
        UNKNOWN_TYPE("{\"type\": \"wish\"}", "/policies/0/type", "unknown policy type \"wish\"");

        private final String policy;
        private final String pointer;
        private final String message;

        Flaw(String policy, String pointer, String message) {
            this.policy = policy;
            this.pointer = pointer;
            this.message = message;
        }

        private String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static String basic(String password) {
        return "{\"type\": \"upstream-auth\", \"basic\": {\"user\": \"gateway\", \"password\": " + password + "}}";
    }

    @BeforeEach
    void prepare() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write("ok".getBytes(US_ASCII));
            }
        });
        upstream.start();
        Path open = Files.writeString(secrets.resolve("open"), "hush-hush");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.createDirectory(secrets.resolve("folder"));
        Path sets = Files.createDirectories(data.resolve("policy-sets"));
        Files.writeString(sets.resolve("round.json"), "{\"policies\": [{\"use\": \"about\"}]}");
        Files.writeString(sets.resolve("about.json"), "{\"policies\": [{\"use\": \"round\"}]}");
        Files.writeString(Files.createDirectories(data.resolve("resources")).resolve("broken.json"), LIST);
    }

    @AfterEach
    void stop() {
        upstream.stop(0);
    }

    private DefinedGateway gateway(String... definitions) {
        return DefinedGateway.start(data, Map.of("GATEWAY_SECRETS", secrets.toString()), definitions);
    }

    private String api(String id, String policy) {
        return """
                {"id": "%s", "match": {"path": "/%s"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(id, id, policy, upstream.getAddress().getPort());
    }

    private static String answer(DefinedGateway gateway, String id) throws IOException, InterruptedException {
        HttpResponse<String> answer = gateway.admin()
                .client()
                .send(HttpRequest.newBuilder(gateway.uri("/" + id)).build(), BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    @Test
    void at_a_start_each_is_left_out_under_its_pointer_and_the_rest_serves() throws Exception {
        var definitions = new ArrayList<>(List.of(api("good", "")));
        for (Flaw flaw : Flaw.values()) definitions.add(api(flaw.id(), flaw.policy));
        try (DefinedGateway gateway = gateway(definitions.toArray(String[]::new))) {
            JsonNode problems = gateway.admin().call("GET", "/snapshot", "").get("problems");

            assertThat(answer(gateway, "good")).isEqualTo("200 ok");
            for (Flaw flaw : Flaw.values()) {
                assertThat(answer(gateway, flaw.id()))
                        .as(flaw.id())
                        .startsWith("503 ")
                        .contains("not-configured");
                assertThat(told(problems, "/apis/" + flaw.id() + flaw.pointer))
                        .as("%s among %s", flaw, problems)
                        .contains(flaw.message);
            }
            assertThat(told(problems, "/policy-sets/about/policies/0/use") // whichever was read first
                            + told(problems, "/policy-sets/round/policies/0/use"))
                    .contains("a circle of policy sets", "has problems");
        }
    }

    private static String told(JsonNode problems, String pointer) {
        var told = new StringBuilder();
        for (JsonNode each : problems) {
            if (each.get("pointer").stringValue().equals(pointer))
                told.append(each.get("message").stringValue());
        }
        return told.toString();
    }

    @Test
    void a_write_of_each_is_refused_under_its_pointer_and_changes_nothing() throws Exception {
        try (DefinedGateway gateway = gateway(api("good", ""))) {
            AdminClient admin = gateway.admin();
            String before = admin.get("/admin/v1/apis").body();
            for (Flaw flaw : Flaw.values()) {
                requireRefused(flaw, admin.send("POST", "/admin/v1/apis", api(flaw.id(), flaw.policy)));
                requireRefused(flaw, admin.send("PUT", "/admin/v1/apis/good", api("good", flaw.policy)));
            }

            assertThat(answer(gateway, "good")).isEqualTo("200 ok");
            assertThat(admin.get("/admin/v1/apis").body()).isEqualTo(before);
        }
    }

    private static void requireRefused(Flaw flaw, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as("%s: %s", flaw, answer.body()).isEqualTo(422);
        assertThat(told(Json.parse(answer.body()).get("errors"), flaw.pointer))
                .as("%s: %s", flaw, answer.body())
                .contains(flaw.message);
        assertThat(answer.body()).doesNotContain("hush-hush");
    }

    @Test
    void a_circle_of_sets_is_refused_where_it_closes() throws Exception {
        try (DefinedGateway gateway = gateway(api("good", ""))) {
            AdminClient admin = gateway.admin();
            admin.call("PUT", "/policy-sets/a", "{\"policies\": []}");
            admin.call("PUT", "/policy-sets/b", "{\"policies\": [{\"use\": \"a\"}]}");

            HttpResponse<String> refused =
                    admin.send("PUT", "/admin/v1/policy-sets/a", "{\"policies\": [{\"use\": \"b\"}]}");
            HttpResponse<String> alone =
                    admin.send("PUT", "/admin/v1/policy-sets/c", "{\"policies\": [{\"use\": \"c\"}]}");

            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("a circle of policy sets");
            assertThat(alone.statusCode()).isEqualTo(422);
            assertThat(told(Json.parse(alone.body()).get("errors"), "/policies/0/use"))
                    .contains("a circle of policy sets: c");
            assertThat(admin.get("/admin/v1/policy-sets/a").body()).contains("\"policies\" : [ ]");
        }
    }

    @Test
    void a_content_that_does_not_parse_is_refused_under_the_api_that_uses_it() throws Exception {
        try (DefinedGateway gateway = gateway(api("good", ""))) {
            AdminClient admin = gateway.admin();
            assertThat(admin.send("PUT", "/admin/v1/resources/item.json", "{\"type\": \"object\"}")
                            .statusCode())
                    .isEqualTo(201);
            admin.call(
                    "PUT",
                    "/apis/good",
                    api("good", Flaw.RESOURCE_THAT_DOES_NOT_PARSE.policy.replace("broken", "item")));

            HttpResponse<String> refused = admin.send("PUT", "/admin/v1/resources/item.json", LIST);

            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
            assertThat(told(Json.parse(refused.body()).get("errors"), "/apis/good/policies/0/schema"))
                    .as(refused.body())
                    .contains("item.json");
            assertThat(admin.get("/admin/v1/resources/item.json").body()).isEqualTo("{\"type\": \"object\"}");
            assertThat(answer(gateway, "good")).isEqualTo("200 ok");
        }
    }
}
