package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImportCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    void a_document_becomes_an_api_at_its_server_s_path_that_is_held_to_it() throws IOException {
        int exit = imported("""
                openapi: 3.1.0
                info: {title: "Orders & more", version: "1"}
                servers: [{url: "https://{host}/v1/", variables: {host: {default: orders.example.com}}}]
                paths: {}
                """);

        assertThat(exit).as(errors.toString()).isZero();
        assertThat(Json.parse(out.toString())).isEqualTo(Json.parse("""
                {"id": "orders-more", "name": "Orders & more", "match": {"path": "/v1"},
                 "upstream": {"targets": [{"url": "https://orders.example.com"}]},
                 "policies": [{"type": "openapi-validation", "document": {"resource": "orders.yaml"},
                               "request": "report", "response": "report"}]}"""));
    }

    @Test
    void without_a_path_of_its_server_it_stands_below_its_id() throws IOException {
        int exit = imported(
                "openapi: 3.0.3\ninfo: {title: Orders}\nservers: [{url: /}]\npaths: {}\n",
                "--id",
                "shop",
                "--upstream",
                "http://10.0.0.1:8080",
                "--resource",
                "shop.json");

        assertThat(exit).as(errors.toString()).isZero();
        assertThat(Json.parse(out.toString())).isEqualTo(Json.parse("""
                {"id": "shop", "name": "Orders", "match": {"path": "/shop"}, "stripPath": true,
                 "upstream": {"targets": [{"url": "http://10.0.0.1:8080"}]},
                 "policies": [{"type": "openapi-validation", "document": {"resource": "shop.json"},
                               "request": "report", "response": "report"}]}"""));
    }

    @Test
    void what_cannot_be_imported_is_told_in_words() throws IOException {
        assertThat(imported("swagger: '2.0'\nhost: a\n")).isEqualTo(1);
        assertThat(imported("openapi: 3.0.0\ninfo: {title: A}\n")).isEqualTo(1);
        assertThat(imported("openapi: 3.0.0\nservers: [{url: 'http://a'}]\n")).isEqualTo(1);

        assertThat(errors.toString().lines())
                .containsExactly(
                        "gateway: /openapi: expected OpenAPI 3.0 or 3.1, got \"Swagger 2.0\": convert the document first",
                        "gateway: /servers/0/url: expected the URL of a server, got \"\": say --upstream",
                        "gateway: /id: expected text, got \"\"");
        assertThat(out.toString()).isEmpty();
    }

    private int imported(String document, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("orders.yaml"), document);
        var arguments = new ArrayList<>(List.of("import", "openapi", file.toString()));
        arguments.addAll(List.of(options));
        return Main.commandLine(Map.of())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(errors, true))
                .execute(arguments.toArray(String[]::new));
    }
}
