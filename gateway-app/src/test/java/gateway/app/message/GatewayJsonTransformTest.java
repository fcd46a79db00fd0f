package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// JSON that is changed on its way, as bytes on sockets: what the upstream and the client got.
@Timeout(120)
final class GatewayJsonTransformTest {
    private static final String JSON = "Content-Type: application/json";

    @TempDir
    private Path data;

    private MessageGateway serving(String operations, String more) {
        return MessageGateway.start(
                data, "{\"type\": \"json-transform\", \"operations\": [" + operations + "]" + more + "}");
    }

    @Test
    void requests_arrive_changed_plain_and_with_their_own_length_packed_or_not() {
        try (var gateway = serving("""
                {"rename": "/cust_nm", "to": "/customer/name"}, {"set": "/served/by", "value": "{api.id}"}""", "")) {
            byte[] sent = "{\"cust_nm\": \"A\", \"n\": 1.50}".getBytes(UTF_8);
            String arrives = "{\"n\":1.50,\"customer\":{\"name\":\"A\"},\"served\":{\"by\":\"orders\"}}";

            assertThat(status(gateway.post(JSON, sent))).isEqualTo(200);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", gzip(sent))))
                    .isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(arrives, arrives);
        }
    }

    @Test
    void answers_come_changed_packed_or_not_and_what_tells_of_the_old_ones_goes() {
        try (var gateway =
                serving("{\"remove\": \"/internal\"}, {\"mask\": \"/card\", \"keep\": 4}", ", \"on\": \"response\"")) {
            byte[] answer = "{\"internal\": {\"node\": 1}, \"card\": \"4111111111111111\"}".getBytes(UTF_8);
            for (Object[] each : new Object[][] {{JSON, answer}, {JSON + "\nContent-Encoding: gzip", gzip(answer)}}) {
                gateway.answers(each[0] + "\nETag: \"old\"\nContent-Digest: sha-256=:AAAA:", (byte[]) each[1]);

                String told = gateway.postJson("{\"internal\": 1}");

                assertThat(told)
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("\r\n\r\n{\"card\":\"***1111\"}")
                        .containsIgnoringCase("Content-Length: 18")
                        .doesNotContainIgnoringCase("Content-Encoding")
                        .doesNotContainIgnoringCase("ETag")
                        .doesNotContainIgnoringCase("Content-Digest");
                assertThat(gateway.arrived()).containsExactly("{\"internal\": 1}");
            }
        }
    }

    @Test
    void two_members_of_one_name_and_what_is_no_json_never_arrive() {
        try (var gateway = serving("{\"remove\": \"/a\"}", ", \"on\": \"both\"")) {
            for (String bad : List.of(
                    "{\"a\":1,\"a\":2}", "{\"b\":1,\"\\u0062\":2}", "{\"a\":1", "{\"a\":1}{\"a\":2}", "[1,]", "nul")) {
                assertThat(gateway.postJson(bad)).startsWith("HTTP/1.1 400 ").contains("malformed-content");
            }
            assertThat(gateway.arrived()).isEmpty();

            gateway.answers(JSON, "{\"a\":1,\"a\":2}".getBytes(UTF_8));
            assertThat(gateway.postJson("{}")).startsWith("HTTP/1.1 502 ").contains("response-refused");
        }
    }

    @Test
    void deep_and_wide_documents_end_at_their_bounds() {
        try (var gateway = serving(
                "{\"set\": \"/*/x\", \"value\": 1}, {\"default\": \"/*/long\", \"value\": \"" + "y".repeat(90) + "\"}",
                "")) {
            assertThat(status(gateway.postJson("[".repeat(100_000)))).isEqualTo(400);
            assertThat(status(gateway.postJson("{\"a\":".repeat(65) + "1" + "}".repeat(65))))
                    .isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();

            assertThat(status(gateway.postJson("[" + "{\"long\":0},".repeat(9_999) + "{\"long\":0}]")))
                    .isEqualTo(200);
            assertThat(gateway.arrived().getFirst())
                    .hasSize(10_000 * "{\"long\":0,\"x\":1},".length() + 1)
                    .startsWith("[{\"long\":0,\"x\":1},");

            assertThat(gateway.postJson("[" + "{},".repeat(60_000) + "{}]"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("content-too-complex");
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void operations_that_double_what_is_there_end_at_the_bound() {
        String doubling = "{\"patch\": [" + "{\"op\": \"copy\", \"from\": \"/a\", \"path\": \"/a/-\"},".repeat(60)
                + "{\"op\": \"test\", \"path\": \"/b\", \"value\": 1}]}";
        try (var gateway = serving(doubling, "")) {
            assertThat(gateway.postJson("{\"a\": [\"" + "x".repeat(1_000) + "\"], \"b\": 1}"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("content-too-complex");
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void names_that_other_languages_trip_over_are_names_like_any() {
        try (var gateway = serving("""
                {"set": "/__proto__/admin", "value": false}, {"remove": "/a~1b/m~0n"},
                {"rename": "/constructor", "to": "/~01"}""", "")) {
            gateway.postJson("{\"__proto__\":{\"admin\":true},\"a/b\":{\"m~n\":1,\"m\":2},\"constructor\":3}");

            assertThat(gateway.arrived())
                    .containsExactly("{\"__proto__\":{\"admin\":false},\"a/b\":{\"m\":2},\"~1\":3}");
        }
    }

    @Test
    void what_a_caller_says_stays_within_its_text() {
        try (var gateway = serving("{\"set\": \"/who\", \"value\": \"{request.header.X-Who}\"}", "")) {
            gateway.post(JSON + "\nX-Who: a\",\"admin\":true,\"b\":\"\\u0022{{{x}}}", "{}".getBytes(UTF_8));

            String arrived = gateway.arrived().getFirst();
            assertThat(Json.parse(arrived).propertyNames()).containsExactly("who");
            assertThat(Json.parse(arrived).get("who").stringValue())
                    .isEqualTo("a\",\"admin\":true,\"b\":\"\\u0022{{{x}}}");
        }
    }

    @Test
    void halves_of_surrogates_arrive_as_the_escapes_that_they_were() {
        try (var gateway = serving("{\"remove\": \"/none\"}", "")) {
            gateway.postJson("{\"a\":\"\\ud800\",\"b\":\"\\ud83d\\ude00\",\"c\":\"x\\udc00y\"}");

            assertThat(new String(
                            gateway.arrived().getFirst().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), UTF_8))
                    .isEqualTo("{\"a\":\"\\ud800\",\"b\":\"\uD83D\uDE00\",\"c\":\"x\\udc00y\"}");
        }
    }

    @Test
    void bombs_end_at_the_cap() {
        try (var gateway = serving("{\"remove\": \"/a\"}", "")) {
            byte[] blanks = new byte[100 << 20];
            java.util.Arrays.fill(blanks, (byte) ' ');

            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", gzip(blanks))))
                    .isEqualTo(413);
            assertThat(gateway.arrived()).isEmpty();
        }
    }
}
