package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// JSON that is validated, as bytes on sockets: attacks 21 to 24, and what the upstream got of them.
@Timeout(120)
final class GatewayJsonTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String SCHEMA = """
            {"type": "json-schema", "on": "both", "schema": {"required": ["id"], "properties": {"id": {"type": "integer"}}}}""";
    private static final byte[] GOOD = "{\"id\":1}".getBytes(UTF_8);
    private static final byte[] BAD = "{\"id\":\"x\"}".getBytes(UTF_8);
    private static final byte[] GOOD_BR = HexFormat.of().parseHex("8b03807b226964223a317d03");
    private static final byte[] BAD_BR = HexFormat.of().parseHex("8b04807b226964223a2278227d03");

    @TempDir
    private Path data;

    @Test
    void what_holds_passes_as_it_came_packed_or_not_and_what_does_not_never_arrives() {
        try (var gateway = MessageGateway.start(data, SCHEMA)) {
            gateway.answers(JSON, GOOD);
            for (Object[] each : new Object[][] {
                {"", GOOD, BAD},
                {"\nContent-Encoding: gzip", gzip(GOOD), gzip(BAD)},
                {"\nContent-Encoding: gzip, gzip", gzip(gzip(GOOD)), gzip(gzip(BAD))},
                {"\nContent-Encoding: br", GOOD_BR, BAD_BR}
            }) {
                assertThat(status(gateway.post(JSON + each[0], (byte[]) each[1])))
                        .isEqualTo(200);
                assertThat(gateway.arrived()).containsExactly(new String((byte[]) each[1], ISO_8859_1));

                String refused = gateway.post(JSON + each[0], (byte[]) each[2]);
                assertThat(refused)
                        .startsWith("HTTP/1.1 422 ")
                        .contains("\"pointer\":\"/id\",\"message\":\"type: expected integer\"");
                assertThat(gateway.arrived()).isEmpty();
            }
        }
    }

    @Test
    void answers_that_do_not_hold_do_not_come_through_packed_or_not() {
        try (var gateway = MessageGateway.start(data, SCHEMA)) {
            for (Object[] each : new Object[][] {
                {"", GOOD, BAD},
                {"\nContent-Encoding: gzip", gzip(GOOD), gzip(BAD)},
                {"\nContent-Encoding: br", GOOD_BR, BAD_BR}
            }) {
                gateway.answers(JSON + each[0], (byte[]) each[1]);
                assertThat(gateway.postJson("{\"id\":1}"))
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith(new String((byte[]) each[1], ISO_8859_1));

                gateway.answers(JSON + each[0], (byte[]) each[2]);
                assertThat(gateway.postJson("{\"id\":1}"))
                        .startsWith("HTTP/1.1 502 ")
                        .contains("response-refused");
            }
        }
    }

    @Test
    void two_members_of_one_name_never_arrive() {
        for (String policy : new String[] {SCHEMA, "{\"type\": \"content-limits\"}"}) {
            try (var gateway = MessageGateway.start(data.resolve(policy.substring(10, 20)), policy)) {
                assertThat(gateway.postJson("{\"id\":1,\"id\":2}")).startsWith("HTTP/1.1 400 ");
                assertThat(gateway.postJson("{\"id\":1,\"a\":{\"b\":1,\"\\u0062\":2}}"))
                        .startsWith("HTTP/1.1 400 ");
                assertThat(gateway.arrived()).isEmpty();
            }
        }
    }

    @Test
    void bombs_end_at_the_cap() {
        try (var gateway = MessageGateway.start(data, SCHEMA)) {
            byte[] blanks = new byte[100 << 20];
            java.util.Arrays.fill(blanks, (byte) ' ');
            byte[] once = gzip(blanks);

            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", once)))
                    .isEqualTo(413);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip, gzip", gzip(once))))
                    .isEqualTo(413);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: compress", GOOD)))
                    .isEqualTo(415);
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", GOOD)))
                    .isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();
            assertThat(status(gateway.postJson("{\"id\":1}"))).isEqualTo(200);
        }
    }

    @Test
    void recursive_branches_end_at_their_bound() {
        String branches = """
                {"type": "json-schema", "schema": {"anyOf": [
                  {"type": "array", "items": {"$ref": "#"}}, {"type": "array", "items": {"$ref": "#"}}]}}""";
        try (var gateway = MessageGateway.start(data, branches)) {
            for (int depth : new int[] {18, 40, 60}) {
                assertThat(gateway.postJson("[".repeat(depth) + 1 + "]".repeat(depth)))
                        .startsWith("HTTP/1.1 400 ")
                        .contains("content-too-complex");
            }
            assertThat(gateway.arrived()).isEmpty();
            assertThat(status(gateway.postJson("[[],[[]]]"))).isEqualTo(200);
        }
    }

    @Test
    void what_another_reader_might_read_otherwise_is_not_read_at_all() {
        byte[] overlong = "{\"id\":1,\"a\":\"__\"}".getBytes(UTF_8);
        overlong[13] = (byte) 0xc0;
        overlong[14] = (byte) 0xae;
        try (var gateway = MessageGateway.start(data, SCHEMA)) {
            assertThat(status(gateway.post(JSON, "{\"id\":1}".getBytes(UTF_16))))
                    .isEqualTo(400);
            assertThat(status(gateway.post(JSON, overlong))).isEqualTo(400);
            assertThat(status(gateway.postJson("\uFEFF\uFEFF{\"id\":1}"))).isEqualTo(400);
            assertThat(status(gateway.postJson("{\"id\":1,\uFEFF\"a\":1}"))).isEqualTo(400);
            for (String charset : new String[] {"utf-16", "utf-7", "iso-8859-1"}) {
                assertThat(status(gateway.post(JSON + "; charset=" + charset, GOOD)))
                        .isEqualTo(415);
            }
            assertThat(status(gateway.post(JSON + "\n" + JSON, GOOD))).isIn(400, 415);
            assertThat(gateway.arrived()).isEmpty();

            for (String same : new String[] {"{\"id\":1,\"a\":\"\\ud800\"}", "\uFEFF{\"id\":1}"}) {
                assertThat(status(gateway.postJson(same))).isEqualTo(200);
                assertThat(gateway.arrived()).containsExactly(new String(same.getBytes(UTF_8), ISO_8859_1));
            }
        }
    }

    @Test
    void limits_hold_however_the_body_is_packed() {
        String limits = "{\"type\": \"content-limits\", \"on\": \"both\", \"json\": {\"depth\": 2}}";
        try (var gateway = MessageGateway.start(data, limits)) {
            byte[] deep = "[".repeat(1 << 19).getBytes(UTF_8);
            gateway.answers(JSON, "[[1]]".getBytes(UTF_8));
            assertThat(gateway.post(JSON, deep)).startsWith("HTTP/1.1 400 ").contains("content-too-complex");
            byte[] packed = gzip("[[[1]]]".getBytes(UTF_8));
            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", packed)))
                    .isEqualTo(400);
            assertThat(gateway.arrived()).isEmpty();
            assertThat(status(gateway.postJson("[[1]]"))).isEqualTo(200);

            gateway.answers(JSON + "\nContent-Encoding: gzip", packed);
            assertThat(status(gateway.postJson("[[1]]"))).isEqualTo(502);
        }
    }
}
