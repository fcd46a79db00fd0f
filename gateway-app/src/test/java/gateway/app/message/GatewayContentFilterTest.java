package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Contents that are looked through, as bytes on sockets, and what the upstream and the client got of them.
@Timeout(120)
final class GatewayContentFilterTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String FILTER = """
            {"type": "content-filter", "on": "both", "decode": ["url", "html", "unicode"], "rules": [
              {"name": "sql", "set": "sql-injection", "in": ["path", "query", "headers", "body"]},
              {"name": "card", "set": "payment-card", "in": ["body"], "action": "mask"}]}""";
    private static final byte[] GOOD = "{\"id\":1}".getBytes(UTF_8);
    private static final byte[] CARD = "{\"n\":\"4111 1111 1111 1111\"}".getBytes(UTF_8);
    private static final String MASKED = "{\"n\":\"***\"}";
    private static final byte[] ATTACK = "{\"n\":\"1 OR 1=1\"}".getBytes(UTF_8);

    @TempDir
    private Path data;

    @Test
    void attacks_never_arrive_packed_or_not_and_cards_arrive_masked() {
        try (var gateway = MessageGateway.start(data, FILTER)) {
            for (Object[] each : new Object[][] {
                {"", GOOD, CARD, ATTACK},
                {"\nContent-Encoding: gzip", gzip(GOOD), gzip(CARD), gzip(ATTACK)},
                {"\nContent-Encoding: br", stored(GOOD), stored(CARD), stored(ATTACK)}
            }) {
                assertThat(status(gateway.post(JSON + each[0], (byte[]) each[1])))
                        .isEqualTo(200);
                assertThat(gateway.arrived()).containsExactly(new String((byte[]) each[1], ISO_8859_1));

                assertThat(status(gateway.post(JSON + each[0], (byte[]) each[2])))
                        .isEqualTo(200);
                assertThat(gateway.arrived()).containsExactly(MASKED);

                assertThat(gateway.post(JSON + each[0], (byte[]) each[3]))
                        .startsWith("HTTP/1.1 403 ")
                        .contains("content-refused")
                        .contains("\"pointer\":\"/body/n\"")
                        .doesNotContain("1=1");
                assertThat(gateway.arrived()).isEmpty();
            }
        }
    }

    @Test
    void answers_are_masked_or_do_not_come_through_packed_or_not() {
        try (var gateway = MessageGateway.start(data, FILTER)) {
            for (Object[] each : new Object[][] {
                {"", CARD, ATTACK},
                {"\nContent-Encoding: gzip", gzip(CARD), gzip(ATTACK)},
                {"\nContent-Encoding: br", stored(CARD), stored(ATTACK)}
            }) {
                gateway.answers(JSON + "\nETag: \"1\"" + each[0], (byte[]) each[1]);
                assertThat(gateway.postJson("{}"))
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("\r\n\r\n" + MASKED)
                        .contains("Content-Length: " + MASKED.length())
                        .doesNotContain("ETag")
                        .doesNotContain("Content-Encoding");

                gateway.answers(JSON + each[0], (byte[]) each[2]);
                assertThat(gateway.postJson("{}"))
                        .startsWith("HTTP/1.1 502 ")
                        .contains("response-refused")
                        .doesNotContain("1=1");
            }
        }
    }

    @Test
    void disguises_in_the_head_of_a_request_hide_nothing() throws Exception {
        try (var gateway = MessageGateway.start(data, FILTER)) {
            for (String head : new String[] {
                "GET /a?id=1%20OR%201%3D1 HTTP/1.1",
                "GET /a?id=1+OR+1=1 HTTP/1.1",
                "GET /a?id=1%2520OR%25201%253D1 HTTP/1.1",
                "GET /a?id=1%26%2332;or%26%2332;1=1 HTTP/1.1",
                "GET /a?id=1+%EF%BC%AFR+1=1 HTTP/1.1",
                "GET /a/1%20or%201=1 HTTP/1.1",
                "GET /a?x=1&x=1/**/or/**/1=1 HTTP/1.1",
                "GET /a HTTP/1.1\r\nX-Id: 1 or 1=1",
                "GET /a HTTP/1.1\r\nCookie: id=x' or '1'='1"
            }) {
                String answer = RawClient.exchange(gateway.port(), head + "\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(status(answer)).as(head).isEqualTo(403);
            }
            assertThat(gateway.arrived()).isEmpty();
            String sound = "GET /a?id=1&q=tea+or+2+cakes HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            assertThat(status(RawClient.exchange(gateway.port(), sound))).isEqualTo(200);
        }
    }

    @Test
    void bombs_end_at_the_cap() {
        try (var gateway = MessageGateway.start(data, FILTER)) {
            byte[] once = gzip(new byte[100 << 20]);

            assertThat(status(gateway.post(JSON + "\nContent-Encoding: gzip", once)))
                    .isEqualTo(413);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void what_is_left_to_report_passes() {
        String reporting = FILTER.replace("\"type\"", "\"mode\": \"report\", \"type\"")
                .replace("\"action\": \"mask\"", "\"action\": \"report\"");
        try (var gateway = MessageGateway.start(data, reporting)) {
            assertThat(status(gateway.post(JSON, ATTACK))).isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(new String(ATTACK, UTF_8));
        }
    }

    /// Brotli that packs nothing (RFC 7932 §9.2): one metablock with the octets as they are, and an empty last one.
    private static byte[] stored(byte[] content) {
        // WBITS 16 ("0"), ISLAST 0, MNIBBLES 4 ("00"), MLEN - 1 in 16 bits, ISUNCOMPRESSED 1, zeros up to the octet
        int bits = (content.length - 1) << 4 | 1 << 20;
        String head = "%02x%02x%02x".formatted(bits & 0xff, bits >> 8 & 0xff, bits >> 16 & 0xff);
        byte[] begin = HexFormat.of().parseHex(head);
        byte[] packed = new byte[begin.length + content.length + 1];
        System.arraycopy(begin, 0, packed, 0, begin.length);
        System.arraycopy(content, 0, packed, begin.length, content.length);
        packed[packed.length - 1] = 3; // ISLAST 1, ISLASTEMPTY 1
        return packed;
    }
}
