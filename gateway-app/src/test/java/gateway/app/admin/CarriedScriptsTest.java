package gateway.app.admin;

import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Secret;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CarriedScriptsTest {
    private static final String EDITOR = "editor-token-of-thirty-two-characters";
    private static final String AUTHOR = "author-token-of-thirty-two-characters";
    private static final String SCRIPT = "{\"type\": \"script\", \"source\": \"vars.a = '1'\"}";
    private static final String API = """
            {"id": "orders", "match": {"path": "/orders"}, "policies": [%s],
             "upstream": {"targets": [{"url": "http://10.0.0.1"}]}}""";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST | /apis | @api | 201",
                "PUT | /apis/orders | @api | 201",
                "PUT | /apis/orders | @operation | 201",
                "PUT | /policy-sets/gold | {\"policies\": [@script]} | 201",
                "PUT | /global | {\"before\": [@script]} | 201",
                "POST | /changes | @changes | 200",
                "POST | /validate | @api | 200",
                "POST | /validate | @changes | 200",
                "PUT | /resources/total.js | vars.a = '1' | 201",
                "PUT | /resources/used | vars.a = '1' | 200",
            })
    void a_script_is_stored_by_those_who_may_and_nobody_else(String method, String path, String body, int status) {
        try (AdminServer server = server()) {
            call(server, AUTHOR, "PUT", "/resources/used", "vars.a = '2'");
            call(
                    server,
                    AUTHOR,
                    "PUT",
                    "/apis/scripted",
                    API.formatted(SCRIPT.replace("\"vars.a = '1'\"", "{\"resource\": \"used\"}"))
                            .replace("orders", "scripted"));

            HttpResponse<String> refused = call(server, EDITOR, method, path, filled(body));
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
            assertThat(json(refused).get("detail").stringValue())
                    .isEqualTo("expected a token with the right scripts, got \"editor\", which has not");
            HttpResponse<String> taken = call(server, AUTHOR, method, path, filled(body));
            assertThat(taken.statusCode()).as(taken.body()).isEqualTo(status);
        }
    }

    @Test
    void a_rollback_brings_no_script_back_without_the_right() {
        try (AdminServer server = server()) {
            call(server, AUTHOR, "PUT", "/apis/orders", API.formatted(SCRIPT));
            call(server, EDITOR, "PUT", "/apis/orders", API.formatted(""));

            assertThat(call(server, EDITOR, "POST", "/revisions/1/rollback", "").statusCode())
                    .isEqualTo(403);
            assertThat(call(server, AUTHOR, "POST", "/revisions/1/rollback", "").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void what_carries_none_needs_no_such_right() {
        try (AdminServer server = server()) {
            assertThat(call(server, EDITOR, "PUT", "/apis/orders", API.formatted(""))
                            .statusCode())
                    .isEqualTo(201);
            assertThat(call(server, EDITOR, "PUT", "/resources/sorry.html", "<p>")
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    private static String filled(String body) {
        return body.replace("@changes", "{\"put\": [{\"kind\": \"apis\", \"document\": @api}]}")
                .replace(
                        "@operation",
                        API.formatted("")
                                .replace(
                                        "\"policies\": []",
                                        "\"operations\": [{\"id\": \"a\", \"match\": {\"path\": \"/a\"}, \"policies\": [@script]}]"))
                .replace("@api", API.formatted("@script"))
                .replace("@script", SCRIPT);
    }

    private static AdminServer server() {
        Set<AdminRight> all = EnumSet.allOf(AdminRight.class);
        Set<AdminRight> others = EnumSet.complementOf(EnumSet.of(AdminRight.SCRIPTS));
        return new AdminServer(AdminTokens.of(
                new Secret(AdminServer.TOKEN),
                List.of(
                        AdminToken.ofDigest(AdminToken.digest(EDITOR), new AdminCaller("editor", others)),
                        AdminToken.ofDigest(AdminToken.digest(AUTHOR), new AdminCaller("author", all)))));
    }

    private static HttpResponse<String> call(
            AdminServer server, String token, String method, String path, String body) {
        Optional<String> type = path.startsWith("/resources/") ? Optional.of("text/plain") : Optional.empty();
        var request = server.request("/admin/v1" + path)
                .setHeader("Authorization", "Bearer " + token)
                .header("Content-Type", type.orElse("application/json"));
        return server.send(request.method(method, BodyPublishers.ofString(body)));
    }
}
