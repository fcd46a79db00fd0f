package gateway.app.admin;

import static gateway.app.admin.AdminServer.definition;
import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AdminTokensTest {
    private static final String VIEWER = "viewer-token-of-thirty-two-characters";
    private static final String EDITOR = "editor-token-of-thirty-two-characters";
    private static final String ISSUER = "issuer-token-of-thirty-two-characters";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "GET, /apis, 200, 403, 403",
        "GET, /snapshot, 200, 403, 403",
        "GET, /audit, 200, 403, 403",
        "GET, /keys, 200, 403, 200",
        "POST, /reload, 403, 200, 403",
        "POST, /keys, 403, 403, 201",
        "POST, /apis, 403, 201, 403",
        "POST, /validate, 200, 200, 403",
    })
    void each_right_opens_what_it_names_and_nothing_else(String method, String path, int viewer, int editor, int issuer)
            throws IOException {
        try (AdminServer server = server(three())) {
            assertThat(call(server, VIEWER, method, path).statusCode())
                    .as("read")
                    .isEqualTo(viewer);
            assertThat(call(server, EDITOR, method, path).statusCode())
                    .as("write")
                    .isEqualTo(editor);
            assertThat(call(server, ISSUER, method, path).statusCode())
                    .as("keys")
                    .isEqualTo(issuer);
        }
    }

    @Test
    void the_token_of_the_settings_has_all_rights() throws IOException {
        try (AdminServer server = server(three())) {
            assertThat(server.get("/apis").statusCode()).isEqualTo(200);
            assertThat(server.post("/apis", definition("orders", "/orders")).statusCode())
                    .isEqualTo(201);
            assertThat(server.post("/keys", "{\"name\": \"alice\"}").statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void a_refusal_says_which_right_is_needed_and_a_stranger_learns_nothing() throws IOException {
        try (AdminServer server = server(three())) {
            HttpResponse<String> refused = call(server, VIEWER, "POST", "/apis");
            HttpResponse<String> stranger = call(server, "nobody-has-this-token-of-32-characters", "POST", "/apis");

            assertThat(json(refused).get("detail").stringValue())
                    .isEqualTo("expected a token with the right write, got \"viewer\", which has not");
            assertThat(stranger.statusCode()).isEqualTo(401);
            assertThat(stranger.body()).doesNotContain("viewer").doesNotContain("right");
        }
    }

    @Test
    void the_audit_log_names_the_token() throws IOException {
        try (AdminServer server = server(three())) {
            call(server, EDITOR, "POST", "/apis");

            assertThat(server.audit.latest(0, 1).getFirst().token()).isEqualTo("editor");
        }
    }

    @Test
    void a_token_taken_out_of_the_file_opens_nothing_from_the_next_request_on() throws IOException {
        Path file = file(three());
        try (AdminServer server = server(file)) {
            assertThat(call(server, VIEWER, "GET", "/apis").statusCode()).isEqualTo(200);

            change(file, tokens(entry("editor", EDITOR, "\"write\"")));

            assertThat(call(server, VIEWER, "GET", "/apis").statusCode()).isEqualTo(401);
            assertThat(call(server, EDITOR, "POST", "/reload").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_file_that_is_broken_or_gone_leaves_the_tokens_as_they_are_until_it_is_whole_again() throws IOException {
        Path file = file(three());
        try (AdminServer server = server(file)) {
            change(file, "{\"tokens\": [");
            assertThat(call(server, VIEWER, "GET", "/apis").statusCode()).isEqualTo(200);
            Files.delete(file);
            assertThat(call(server, VIEWER, "GET", "/apis").statusCode()).isEqualTo(200);

            change(file, tokens(entry("viewer", VIEWER, "\"keys\"")));

            assertThat(call(server, VIEWER, "GET", "/apis").statusCode()).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"tokens\": [{\"name\": \"a b\", \"sha256\": \"@\", \"rights\": [\"read\"]}]} | /tokens/0/name",
                "{\"tokens\": [{\"name\": \"a\", \"sha256\": \"abc\", \"rights\": [\"read\"]}]} | /tokens/0/sha256",
                "{\"tokens\": [{\"name\": \"a\", \"sha256\": \"@\", \"rights\": [\"raed\"]}]} | did you mean \"read\"?",
                "{\"tokens\": [{\"name\": \"a\", \"sha256\": \"@\", \"rights\": []}]} | /tokens/0/rights",
                "{\"tokens\": [{\"name\": \"a\", \"sha256\": \"@\", \"rigths\": [\"read\"]}]} | /tokens/0/rigths",
                "[] | expected an object",
                "{ | not valid JSON",
            })
    void a_start_is_refused_with_the_place_of_what_is_wrong(String text, String told) throws IOException {
        Path file = file(text.replace("@", "0".repeat(64)));

        assertThatThrownBy(() -> AdminTokens.of(new Secret(AdminServer.TOKEN), Optional.of(file)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(told);
    }

    @Test
    void a_file_that_others_may_write_or_that_is_missing_refuses_the_start() throws IOException {
        Path file = file(three());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));

        assertThatThrownBy(() -> AdminTokens.of(new Secret(AdminServer.TOKEN), Optional.of(file)))
                .hasMessageContaining("only its owner may write");
        assertThatThrownBy(() ->
                        AdminTokens.of(new Secret(AdminServer.TOKEN), Optional.of(folder.resolve("missing.json"))))
                .hasMessageContaining("cannot be read");
    }

    private static String three() {
        return tokens(
                entry("viewer", VIEWER, "\"read\""),
                entry("editor", EDITOR, "\"write\""),
                entry("issuer", ISSUER, "\"keys\""));
    }

    private static String tokens(String... entries) {
        return "{\"tokens\": [" + String.join(", ", entries) + "]}";
    }

    private static String entry(String name, String token, String rights) {
        return "{\"name\": \"" + name + "\", \"sha256\": \"" + HexFormat.of().formatHex(AdminToken.digest(token))
                + "\", \"rights\": [" + rights + "]}";
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("tokens.json"), text);
    }

    /// Whatever the clock of the file system does, the file has another time afterwards.
    private static void change(Path file, String text) throws IOException {
        Instant before = Files.exists(file) ? Files.getLastModifiedTime(file).toInstant() : Instant.EPOCH;
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(before.plusSeconds(1)));
    }

    private AdminServer server(String text) throws IOException {
        return server(file(text));
    }

    private static AdminServer server(Path file) {
        return new AdminServer(AdminTokens.of(new Secret(AdminServer.TOKEN), Optional.of(file)));
    }

    private static HttpResponse<String> call(AdminServer server, String token, String method, String path) {
        String body = switch (path) {
            case "/apis", "/validate" -> definition("orders", "/orders");
            case "/keys" -> "{\"name\": \"alice\"}";
            default -> "";
        };
        var request = server.request("/admin/v1" + path).setHeader("Authorization", "Bearer " + token);
        if (method.equals("GET")) return server.send(request.GET());
        return server.send(
                request.header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body)));
    }
}
