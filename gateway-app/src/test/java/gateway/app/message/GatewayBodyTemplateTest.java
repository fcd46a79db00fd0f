package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.wire.http1.RawClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Bodies made of values, as bytes on sockets: what the upstream and the client got.
@Timeout(120)
final class GatewayBodyTemplateTest {
    private static final String JSON = "Content-Type: application/json";

    @TempDir
    private Path data;

    private MessageGateway serving(String contentType, String template, String more) {
        return MessageGateway.start(data, policy(contentType, template, more));
    }

    private static String policy(String contentType, String template, String more) {
        return "{\"type\": \"body-template\", \"contentType\": \"" + contentType + "\", \"template\": "
                + Json.compact(Json.mapper().getNodeFactory().stringNode(template)) + more + "}";
    }

    @Test
    void requests_arrive_made_anew_packed_or_not() {
        String template =
                "{\"lines\":[{{#body.items}}{{^-first}},{{/-first}}{\"sku\":{{sku}},\"n\":{{n}}}{{/body.items}}],"
                        + "\"by\":\"{{request.header.X-By}}\"}";
        try (var gateway = serving("application/json", template, "")) {
            byte[] sent = "{\"items\": [{\"sku\": \"a\\\"b\", \"n\": 1.50}, {\"sku\": 7}]}".getBytes(UTF_8);
            String arrives = "{\"lines\":[{\"sku\":\"a\\\"b\",\"n\":1.50},{\"sku\":7,\"n\":null}],\"by\":\"x\\\"y\"}";

            assertThat(status(gateway.post(JSON + "\nX-By: x\"y", sent))).isEqualTo(200);
            assertThat(status(gateway.post(JSON + "\nX-By: x\"y\nContent-Encoding: gzip", gzip(sent))))
                    .isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(arrives, arrives);
        }
    }

    @Test
    void a_segment_of_the_path_is_a_value_as_in_other_templates() throws Exception {
        String template =
                "{\"id\":\"{{request.path.id}}\",\"none\":{{request.path.none}},\"path\":\"{{request.path}}\","
                        + "\"in\":[{{#body.l}}{{request.path.id}}{{/body.l}}],\"of\":{{#request}}{{path.id}}{{/request}}}";
        try (var gateway = MessageGateway.at(data, "/orders/{id}", policy("application/json", template, ""))) {
            String sent = "POST /orders/a%22b HTTP/1.1\r\nHost: orders.example\r\nConnection: close\r\n" + JSON
                    + "\r\nContent-Length: 9\r\n\r\n{\"l\":[1]}";

            assertThat(status(RawClient.exchange(gateway.port(), sent))).isEqualTo(200);

            assertThat(gateway.arrived())
                    .containsExactly("{\"id\":\"a\\\"b\",\"none\":null,\"path\":\"/orders/a%22b\","
                            + "\"in\":[\"a\\\"b\"],\"of\":\"a\\\"b\"}");
        }
    }

    @Test
    void answers_come_as_another_type_and_what_tells_of_the_old_ones_goes() {
        try (var gateway = serving(
                "application/xml",
                "<o id=\"{{body.id}}\" s=\"{{response.status}}\">{{body.t}}</o>",
                ", \"on\": \"response\"")) {
            byte[] answer = "{\"id\": \"a\\\"b\", \"t\": \"</o><o>&\"}".getBytes(UTF_8);
            for (Object[] each : new Object[][] {{JSON, answer}, {JSON + "\nContent-Encoding: gzip", gzip(answer)}}) {
                gateway.answers(each[0] + "\nETag: \"old\"", (byte[]) each[1]);

                assertThat(gateway.postJson("{}"))
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("\r\n\r\n<o id=\"a&quot;b\" s=\"200\">&lt;/o&gt;&lt;o&gt;&amp;</o>")
                        .containsIgnoringCase("Content-Type: application/xml; charset=utf-8")
                        .doesNotContainIgnoringCase("Content-Encoding")
                        .doesNotContainIgnoringCase("ETag");
            }
        }
    }

    @Test
    void nobody_gets_out_of_the_place_that_a_template_gives_him() {
        try (var gateway = serving(
                "application/json", "{\"admin\":false,\"amount\":{{body.amount}},\"name\":\"{{body.name}}\"}", "")) {
            for (String value : List.of(
                    "1,\\\"admin\\\":true",
                    "\\\",\\\"admin\\\":true,\\\"x\\\":\\\"",
                    "{{request.header.Cookie}}",
                    "\\n\\u0000\\u2028",
                    "{{{body}}}",
                    "\\\\\\\"",
                    "}}{{#body}}")) {
                assertThat(status(gateway.post(
                                JSON + "\nCookie: secret=1",
                                ("{\"amount\":\"" + value + "\",\"name\":\"" + value + "\"}").getBytes(UTF_8))))
                        .isEqualTo(200);

                var arrived = Json.parse(gateway.arrived().getFirst());
                String meant = Json.parse("\"" + value + "\"").stringValue();
                assertThat(arrived.propertyNames()).containsExactly("admin", "amount", "name");
                assertThat(arrived.get("admin").booleanValue()).isFalse();
                assertThat(arrived.get("amount").stringValue()).isEqualTo(meant);
                assertThat(arrived.get("name").stringValue()).isEqualTo(meant);
            }
        }
    }

    @Test
    void two_members_of_one_name_deep_documents_and_bombs_never_arrive() {
        try (var gateway = serving("application/json", "{\"a\":{{body.a}}}", "")) {
            assertThat(status(gateway.postJson("{\"a\":1,\"a\":2}"))).isEqualTo(400);
            assertThat(status(gateway.postJson("[".repeat(100_000)))).isEqualTo(400);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", gzip(new byte[100 << 20]))))
                    .isEqualTo(413);
            assertThat(gateway.arrived()).isEmpty();
            assertThat(status(gateway.postJson("{\"a\":" + "[".repeat(62) + "]".repeat(62) + "}")))
                    .isEqualTo(200);
        }
    }

    @Test
    void arrays_in_arrays_end_at_their_bounds() {
        String template = "{{#body.l}}{{#body.l}}{{#body.l}}{{x}}{{/body.l}}{{/body.l}}{{/body.l}}";
        try (var gateway = serving("text/plain", template, "")) {
            assertThat(gateway.postJson("{\"l\":[" + "1,".repeat(100_000) + "1]}"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("content-too-complex");
            assertThat(gateway.arrived()).isEmpty();
        }
    }
}
