package gateway.policies.message.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.InvalidConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What documents are taken, and what is told of those that are not.
final class OpenApiCompilerTest {
    private static OperationTable compiled(String document) {
        return OpenApiCompiler.compile(
                OpenApiDocument.of(DocumentText.read(document.getBytes(UTF_8)), "/document", true), false);
    }

    private static String paths(String paths) {
        return "openapi: 3.1.0\npaths: {" + paths + '}';
    }

    private static String get(String operation) {
        return paths("/a: {get: {" + operation + "}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e99999999999", "1.0e-99999999999", "1e2147483648"})
    void numbers_with_exponents_that_none_in_memory_has_are_refused(String number) {
        assertThatThrownBy(() -> compiled(get("x-number: " + number)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("not valid YAML at line 2: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"100e2147483647", "1.50", "1e-2147483647", "12345678901234567890"})
    void numbers_of_yaml_are_read_as_those_of_json(String number) {
        assertThat(DocumentText.read(("x: " + number).getBytes(UTF_8)))
                .isEqualTo(DocumentText.read(("{\"x\": " + number + "}").getBytes(UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `parameters: [{$ref: '#/components/parameters/X'}]`       | `/parameters/0: expected a reference within the document, got "#/components/parameters/X"`
            `parameters: [{$ref: 'http://127.0.0.1/x'}]`              | `/parameters/0: expected a reference within the document, got "http://127.0.0.1/x"`
            `parameters: [{$ref: 'other.yaml#/x'}]`                   | `/parameters/0: expected a reference within the document, got "other.yaml#/x"`
            `parameters: [{$ref: '#/paths/~1a/get/parameters/0'}]`    | `/parameters/0: expected at most 16 references after each other`
            `parameters: [{name: x, in: body}]`                       | `/parameters/0/in: expected query, path, header or cookie`
            `parameters: [{in: query}]`                               | `/parameters/0: expected a parameter with a name`
            `parameters: [{name: x, in: path}]`                       | `: expected the parameter "x" in the path`
            `parameters: [{name: x, in: query, style: simple}]`       | `/parameters/0/style: expected a style that a parameter in the query may have`
            `parameters: [{name: x, in: query, style: odd}]`          | `/parameters/0/style: expected a style of parameters`
            `responses: {'600': {}}`                                  | `/responses/600: expected a status such as 200, 2XX or default`
            `requestBody: {content: {json: {}}}`                      | `/requestBody/content/json: expected a media type`
            """)
    void refuses_what_it_cannot_hold_requests_to_and_says_where(String operation, String problem) {
        assertThatThrownBy(() -> compiled(get(operation)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/document/paths/~1a/get" + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `{$ref: 'http://127.0.0.1/x'}`    | `$ref: expected a schema of this document, got "http://127.0.0.1/x"`
            `{$ref: 'file:///etc/passwd'}`    | `$ref: expected a schema of this document`
            `{$ref: '#/components/schemas/X'}`| `$ref: expected a schema of this document`
            `{type: text}`                    | `type: expected one or several of`
            `{pattern: '(?=a)b'}`             | `pattern: `
            `{oneOf: [{$ref: '#'}], discriminator: {propertyName: a, mapping: {b: gone}}}` | `mapping: expected schemas of this document, got "gone"`
            """)
    void refuses_schemas_that_lead_out_of_the_document_or_cannot_be_compiled(String schema, String problem) {
        assertThatThrownBy(() -> compiled(get("parameters: [{name: x, in: query, schema: " + schema + "}]")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/document/paths/~1a/get/parameters/0/schema")
                .hasMessageContaining(problem);
    }

    @Test
    void refuses_other_editions() {
        assertThatThrownBy(() -> compiled("swagger: '2.0'"))
                .hasMessage(
                        "/document/openapi: expected OpenAPI 3.0 or 3.1, got \"Swagger 2.0\": convert the document first");
        assertThatThrownBy(() -> compiled("openapi: 3.2.0")).hasMessageContaining("got \"3.2.0\"");
        assertThatThrownBy(() -> compiled("openapi: 3.1.0\njsonSchemaDialect: urn:other"))
                .hasMessageContaining("/document/jsonSchemaDialect: expected a dialect");
        assertThatThrownBy(() -> compiled("{\"openapi\": \"3.1.0\"}"))
                .hasMessageContaining("/document/paths: expected");
    }

    @Test
    void refuses_paths_of_which_nobody_can_say_which_is_meant() {
        for (String two : new String[] {"'/a/{x}': {get: {}}, '/a/{y}': {get: {}}", "/a%62: {get: {}}, /ab: {get: {}}"})
            assertThatThrownBy(() -> compiled(paths(two))).hasMessageContaining("expected no method twice");
        for (String one : new String[] {"a", "/{x", "/{x}{y}", "/{}", "/}x{"})
            assertThatThrownBy(() -> compiled(paths("'" + one + "': {get: {}}")))
                    .as(one)
                    .hasMessageContaining("expected a path that begins with");
    }

    @Test
    void finds_the_most_literal_path_and_joins_methods_of_paths_that_match_the_same() {
        OperationTable table = compiled(paths("'/a/{x}': {get: {}, post: {}}, '/a/{y}': {delete: {}}, /a/b: {get: {}},"
                + " '/{z}/b/c': {get: {}}, '/a/{x}.json': {get: {}}, '/a/{x}/d': {get: {}}"));

        assertThat(methods(table, "a", "b")).isEqualTo("GET, HEAD");
        assertThat(methods(table, "a", "c")).isEqualTo("DELETE, GET, HEAD, POST");
        assertThat(methods(table, "a", "c.json")).isEqualTo("GET, HEAD");
        assertThat(methods(table, "a", "b", "c")).isEqualTo("GET, HEAD");
        assertThat(methods(table, "a", "b", "d")).isEqualTo("GET, HEAD");
        assertThat(methods(table, "a", "")).isEmpty();
        assertThat(methods(table, "a")).isEmpty();
        assertThat(table.find(List.of("a", "%2f"))
                        .flatMap(path -> path.operation("DELETE"))
                        .map(each -> each.values(List.of("a", "%2f"), "/v1/a/%2f")))
                .isEqualTo(Optional.of(Map.of("y", "%2f")));
    }

    private static String methods(OperationTable table, String... segments) {
        return table.find(List.of(segments)).map(DescribedPath::methods).orElse("");
    }

    @Test
    void refuses_yaml_that_makes_much_of_little_or_two_things_of_one() {
        String bomb = "a: &a [x, x]\nb: &b [*a, *a]\nopenapi: 3.1.0\n";
        assertThatThrownBy(() -> compiled(bomb))
                .hasMessageContaining("expected YAML without aliases, got one at line 2");
        assertThatThrownBy(() -> compiled("openapi: 3.1.0\nopenapi: 3.0.0")).hasMessageContaining("not valid YAML");
        assertThatThrownBy(() -> compiled("openapi: 3.1.0\n---\npaths: {}")).hasMessageContaining("not valid YAML");
        assertThatThrownBy(() -> compiled("a: " + "[".repeat(100_000))).hasMessageContaining("not valid YAML");
        assertThatThrownBy(() -> compiled("a: !!java.net.URL [x]\nopenapi: 3.1.0"))
                .isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> compiled("{\"openapi\": \"3.1.0\", \"openapi\": \"3.1.0\"}"))
                .hasMessageContaining("not valid JSON");
    }

    /// As many operations and schemas as a document may hold, all of which refer to each other.
    @Test
    @Tag("proofs") // a minute
    void compiles_a_document_of_five_megabytes_once_however_much_refers_to_what() {
        var document = new StringBuilder("{\"openapi\": \"3.1.0\", \"paths\": {");
        for (int i = 0; i < 4_000; i++) {
            document.append(i == 0 ? "" : ",").append("""
                    "/p%d/{id}": {"post": {"parameters": [{"name": "id", "in": "path", "schema": {"$ref": "#/components/schemas/s%d"}}],
                     "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/s%d"}}}},
                     "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/s%d"}}}}}}}""".formatted(i, i, 3_999 - i, i));
        }
        document.append("}, \"components\": {\"schemas\": {");
        for (int i = 0; i < 4_000; i++) {
            document.append(i == 0 ? "" : ",").append("\"s").append(i).append("\": {\"anyOf\": [");
            for (int j = 1; j < 20; j++)
                document.append(j == 1 ? "" : ",")
                        .append("{\"$ref\": \"#/components/schemas/s")
                        .append((i * j + 1) % 4_000)
                        .append("\"}");
            document.append("]}");
        }
        document.append("}}}");
        assertThat(document.length()).isGreaterThan(4_000_000);

        assertThatCode(() -> compiled(document.toString())).doesNotThrowAnyException();
    }
}
