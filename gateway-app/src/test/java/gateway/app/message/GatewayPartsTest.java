package gateway.app.message;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.cache.CachedGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Parts of answers whose wholes would not come through, as bytes on sockets.
@Timeout(120)
final class GatewayPartsTest {
    private static final String CARD = "4111111111111111";
    private static final String JSON = "{\"n\":\"" + CARD + "\"}";
    private static final String XML = "<n>" + CARD + "</n>";
    private static final String DOCUMENT = """
            {"openapi": "3.1.0", "paths": {"/f": {"get": {"responses": {
              "2XX": {"content": {"application/json": {"schema": {"maxProperties": 0}}, "image/png": {}}}}}}}}""";
    private static final List<String> ASKING = List.of(
            "Range: bytes=0-",
            "range: bytes=1-",
            "Range: bytes=3-12",
            "Range: bytes=0-4,5-30",
            "Range: bytes=0-\r\nIf-Range: " + FileUpstream.VERSION,
            "Request-Range: bytes=0-",
            "Connection: Range\r\nRange: bytes=0-");

    @TempDir
    private Path data;

    private final FileUpstream upstream = FileUpstream.start();

    @AfterEach
    void close() {
        upstream.close();
    }

    private CachedGateway start(String policies) throws IOException {
        Files.writeString(Files.createDirectories(data.resolve("resources")).resolve("other.xsd"), """
                <xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='other'/></xs:schema>""");
        return upstream.gateway(data, policies, Map.of());
    }

    static Stream<Arguments> policies() {
        return Stream.of(
                Arguments.of("application/json", JSON, """
                        {"type": "content-filter", "on": "response", "rules": [
                          {"name": "card", "set": "payment-card", "in": ["body"], "action": "mask"}]}"""),
                Arguments.of("text/plain", JSON, """
                        {"type": "content-filter", "on": "both", "rules": [
                          {"name": "card", "regex": "4111", "in": ["body"]}]}"""),
                Arguments.of("application/json", JSON, """
                        {"type": "json-schema", "on": "response", "schema": {"maxProperties": 0}}"""),
                Arguments.of("application/json", JSON, """
                        {"type": "content-limits", "on": "response", "json": {"text": 5}}"""),
                Arguments.of("text/xml", XML, """
                        {"type": "xml-schema", "on": "response", "schemas": [{"resource": "other.xsd"}]}"""),
                Arguments.of("application/json", JSON, """
                        {"type": "openapi-validation", "response": "enforce", "document": %s}""".formatted(DOCUMENT)),
                Arguments.of("application/json", JSON, """
                        {"type": "json-transform", "on": "response", "operations": [{"remove": "/n"}]}"""));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void nothing_that_a_client_asks_for_brings_a_part_of_what_is_refused_or_masked(
            String type, String content, String policy) throws IOException {
        upstream.serves(type, content);
        try (var gateway = start(policy)) {
            String whole = gateway.get("/f");
            for (String fields : ASKING) {
                String answer = gateway.get("/f", fields + "\r\n");

                assertThat(status(answer)).as(fields).isEqualTo(status(whole));
                assertThat(answer).as(fields).doesNotContain("4111", "1111");
                assertThat(upstream.last()).as(fields).doesNotContain("range:");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a_part_that_comes_all_the_same_is_refused(String type, String content, String policy) throws IOException {
        try (var gateway = start(policy)) {
            for (String each :
                    List.of(type, "multipart/byteranges; boundary=x", "multipart/x-byteranges; boundary=x")) {
                upstream.answers(FileUpstream.part(each, "411111", 6));

                assertThat(gateway.get("/f"))
                        .as(each)
                        .startsWith("HTTP/1.1 502 ")
                        .contains("response-refused")
                        .doesNotContain("4111");
            }
            upstream.answers(FileUpstream.part("image/png", "411111", 6));
            assertThat(gateway.get("/f")).startsWith("HTTP/1.1 206 ").endsWith("\r\n\r\n411111");
        }
    }

    @Test
    void a_script_that_looks_at_answers_sees_the_whole() throws IOException {
        upstream.serves("application/json", JSON);
        try (var gateway = start("""
                {"type": "script", "on": "response", "body": "json",
                 "source": "if (response.body && response.body.n) fail('a card');"}""")) {
            for (String fields : ASKING) {
                assertThat(gateway.get("/f", fields + "\r\n"))
                        .as(fields)
                        .startsWith("HTTP/1.1 502 ")
                        .contains("a card");
                assertThat(upstream.last()).as(fields).doesNotContain("range:");
            }
        }
    }

    @Test
    void what_a_cache_keeps_is_looked_at_whole() throws IOException {
        upstream.answers("HTTP/1.1 200 OK\r\nConnection: close\r\nCache-Control: max-age=60\r\nETag: \"1\"\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + JSON.length() + "\r\n\r\n" + JSON);
        try (var gateway = start("""
                {"type": "cache"}, {"type": "json-schema", "on": "response", "schema": {"maxProperties": 0}}""")) {
            assertThat(status(gateway.get("/f"))).isEqualTo(502);
            for (String fields : ASKING) {
                assertThat(gateway.get("/f", fields + "\r\n"))
                        .as(fields)
                        .startsWith("HTTP/1.1 502 ")
                        .doesNotContain("1111");
            }
        }
    }

    @Test
    void what_only_reports_tells_of_the_whole() throws Exception {
        upstream.serves("application/json", JSON);
        String policy = "{\"type\": \"openapi-validation\", \"response\": \"report\", \"document\": " + DOCUMENT + "}";
        try (var gateway = start(policy)) {
            assertThat(gateway.get("/f", "Range: bytes=0-4\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith(JSON);
            assertThat(reports(gateway)).isEqualTo(1);

            upstream.answers(FileUpstream.part("application/json", "411111", 6));
            assertThat(gateway.get("/f")).startsWith("HTTP/1.1 206 ").endsWith("\r\n\r\n411111");
            assertThat(reports(gateway)).isEqualTo(2);
        }
    }

    private static long reports(CachedGateway gateway) throws Exception {
        String line = gateway.admin()
                .get("/metrics")
                .body()
                .lines()
                .filter(each -> each.startsWith("gateway_policy_verdicts_total{") && each.contains("\"report\""))
                .findFirst()
                .orElse("0 0");
        return (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    private static int status(String answer) {
        return MessageGateway.status(answer);
    }
}
