package gateway.policies.message.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OpenApiMockTest {
    private static final String ORDERS = """
            openapi: 3.0.3
            info: {title: Orders, version: '1'}
            paths:
              /items/{id}:
                get:
                  responses:
                    '200':
                      description: one
                      headers: {X-Left: {schema: {type: integer, example: 9}}, Content-Length: {example: 3}}
                      content:
                        application/json:
                          examples:
                            pen: {value: {name: pen}}
                            ink: {$ref: '#/components/examples/Ink'}
                        text/plain: {example: a pen}
                    '404': {description: none, content: {application/problem+json: {example: {status: 404}}}}
                    default: {description: wrong, content: {application/json: {example: {wrong: true}}}}
                delete: {responses: {'204': {description: gone, content: {application/json: {example: 1}}}}}
              /made: {get: {responses: {2XX: {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}}}}
              /tree: {get: {responses: {default: {description: deep, content: {application/json: {schema: {$ref: '#/components/schemas/Tree'}}}}}}}
              /wide: {get: {responses: {'200': {description: much, content: {application/json: {schema: {$ref: '#/components/schemas/Wide'}}}}}}}
              /bare: {get: {responses: {}}}
            components:
              examples: {Ink: {value: {name: ink}}}
              schemas:
                Item:
                  allOf: [{type: object, properties: {id: {type: string, format: uuid}}}]
                  properties:
                    name: {type: string, example: pen}
                    price: {type: number, minimum: 1}
                    kind: {enum: [new, old]}
                    size: {type: integer, default: 3}
                    day: {type: string, format: date}
                    tags: {type: array, items: {type: string}}
                    secret: {type: string, writeOnly: true}
                    at: {oneOf: [{type: object, properties: {x: {type: boolean}}}, {type: string}]}
                Tree: {type: object, properties: {a: {$ref: '#/components/schemas/Tree'}}}
                Wide: {type: object, properties: {a: {$ref: '#/components/schemas/Wide'}, b: {$ref: '#/components/schemas/Wide'}, c: {$ref: '#/components/schemas/Wide'}, d: {$ref: '#/components/schemas/Wide'}}}
            """;

    private final PolicyRun mock = mocking(ORDERS);

    private static PolicyRun mocking(String document) {
        String json = Json.compact(DocumentText.read(document.getBytes(UTF_8)));
        return PolicyRun.of("{\"type\": \"openapi-mock\", \"document\": " + json + "}")
                .answering("\"of the upstream\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    -                      | -                             | 200 | {"name":"pen"}  | -
                    -                      | example=ink                   | 200 | {"name":"ink"}  | example=ink
                    -                      | example="ink", wait=5         | 200 | {"name":"ink"}  | example=ink
                    -                      | example=none                  | 200 | {"name":"pen"}  | -
                    -                      | code=404                      | 404 | {"status":404}  | code=404
                    -                      | code=404, example=ink         | 404 | {"status":404}  | code=404
                    -                      | code=500                      | 500 | {"wrong":true}  | code=500
                    -                      | code=1000                     | 200 | {"name":"pen"}  | -
                    text/plain             | -                             | 200 | a pen           | -
                    text/*, */*;q=0.5      | -                             | 200 | a pen           | -
                    image/png              | -                             | 200 | {"name":"pen"}  | -
                    text/plain             | example=ink                   | 200 | {"name":"ink"}  | example=ink
                    """)
    void answers_what_the_document_has_and_the_client_prefers(
            String accept, String prefer, int status, String content, String applied) {
        var request = Exchanges.get("/items/7");
        if (!accept.equals("-")) request.with("Accept", accept);
        if (!prefer.equals("-")) request.with("Prefer", prefer);

        Response answer = mock.send(request);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(PolicyRun.text(answer)).isEqualTo(content);
        assertThat(answer.headers().first("Preference-Applied").orElse("-")).isEqualTo(applied);
        assertThat(answer.headers().first("Vary")).contains("Accept, Prefer");
        assertThat(answer.headers().first("X-Left").isPresent()).isEqualTo(status == 200);
        assertThat(mock.arrived()).isEmpty();
    }

    @Test
    void types_are_those_of_the_document() {
        assertThat(mock.send(Exchanges.get("/items/7").with("Prefer", "code=404"))
                        .headers()
                        .first("Content-Type"))
                .contains("application/problem+json");
    }

    @Test
    void makes_json_of_a_schema_without_examples() {
        assertThat(PolicyRun.text(mock.send(Exchanges.get("/made"))))
                .isEqualTo(
                        "{\"id\":\"00000000-0000-4000-8000-000000000000\",\"name\":\"pen\",\"price\":1,\"kind\":\"new\","
                                + "\"size\":3,\"day\":\"2026-01-01\",\"tags\":[\"string\"],\"at\":{\"x\":true}}");
    }

    @Test
    void schemas_that_hold_themselves_come_to_an_end() {
        assertThat(PolicyRun.text(mock.send(Exchanges.get("/tree")))).startsWith("{\"a\":{\"a\":");
        assertThat(PolicyRun.text(mock.send(Exchanges.get("/wide")))).isEmpty();
    }

    @Test
    void what_has_no_content_has_none() {
        Response gone = mock.send(Exchanges.of("DELETE", "/items/7"));

        assertThat(gone.status()).isEqualTo(204);
        assertThat(PolicyRun.text(gone)).isEmpty();
        assertThat(gone.headers().contains("Content-Type")).isFalse();
        assertThat(mock.send(Exchanges.get("/bare")).status()).isEqualTo(200);
    }

    @Test
    void leaves_to_the_upstream_what_the_document_does_not_have() {
        for (var each : new Exchanges[] {Exchanges.get("/other"), Exchanges.of("PATCH", "/items/7")})
            assertThat(PolicyRun.text(mock.send(each))).isEqualTo("\"of the upstream\"");
    }

    @Test
    void refuses_a_document_with_more_than_it_keeps_of_examples() {
        var document = new StringBuilder("openapi: 3.0.3\npaths:\n");
        for (int i = 0; i < 9; i++)
            document.append("  /p")
                    .append(i)
                    .append(": {get: {responses: {'200': {description: a, content: {text/plain: {example: ")
                    .append("x".repeat(1 << 20))
                    .append("}}}}}}\n");

        assertThatThrownBy(() -> mocking(document.toString()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("expected at most 8388608 bytes of examples in all");
    }
}
