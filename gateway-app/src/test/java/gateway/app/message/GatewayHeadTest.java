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

/// What is told of content that policies change to those who do not ask for it: to `HEAD`, and under conditions. As
/// bytes on sockets.
@Timeout(120)
final class GatewayHeadTest {
    private static final String JSON = "{\"n\":\"4111111111111111\"}";
    private static final String SOAP =
            "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><a/></s:Body></s:Envelope>";
    private static final String MASKING = """
            {"type": "content-filter", "on": "response", "rules": [
              {"name": "card", "set": "payment-card", "in": ["body"], "action": "mask"}]}""";
    private static final List<String> CONDITIONS = List.of(
            "If-None-Match: " + FileUpstream.VERSION,
            "if-none-match: " + FileUpstream.VERSION,
            "If-Match: \"v0\"",
            "If-Modified-Since: Sat, 28 Nov 2026 10:00:00 GMT",
            "If-Unmodified-Since: Sat, 28 Nov 2020 10:00:00 GMT");
    private static final List<String> OF_CONTENT = List.of(
            "\r\nETag:",
            "\r\nAccept-Ranges:",
            "\r\nContent-MD5:",
            "\r\nDigest:",
            "\r\nContent-Digest:",
            "\r\nRepr-Digest:",
            "Content-Length: ");

    @TempDir
    private Path data;

    private final FileUpstream upstream = FileUpstream.start();

    @AfterEach
    void close() {
        upstream.close();
    }

    private CachedGateway start(String policies) throws IOException {
        Path key = Files.writeString(data.resolve("key"), "a secret of both, as long as it has to be");
        return upstream.gateway(
                data, policies, Map.of("GATEWAY_SECRETS", key.getParent().toString()));
    }

    static Stream<Arguments> policies() {
        return Stream.of(
                Arguments.of("application/json", JSON, MASKING),
                Arguments.of("application/json", JSON, """
                        {"type": "json-transform", "on": "response", "operations": [{"remove": "/n"}]}"""),
                Arguments.of("application/json", JSON, """
                        {"type": "jose", "response": [{"sign": {"algorithm": "HS256", "key": {"file": "key"}}}]}"""),
                Arguments.of("text/xml", SOAP, """
                        {"type": "ws-security", "response": [{"add-timestamp": {}}]}"""));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void HEAD_is_told_nothing_of_the_content_that_GET_does_not_get(String type, String content, String policy)
            throws IOException {
        upstream.serves(type, content);
        try (var gateway = start(policy)) {
            String got = gateway.get("/f");
            assertThat(got).startsWith("HTTP/1.1 200 ").doesNotContain(OF_CONTENT.subList(0, OF_CONTENT.size() - 1));

            assertThat(head(gateway, "")).startsWith("HTTP/1.1 200 ").doesNotContain(OF_CONTENT);
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void nor_of_content_that_the_gateway_has_itself(String type, String content, String policy) throws IOException {
        upstream.serves(type, content);
        try (var gateway = start(policy + ", {\"type\": \"cache\", \"for\": \"1m\"}")) {
            assertThat(gateway.get("/f")).contains("stored");

            assertThat(head(gateway, ""))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("; hit;")
                    .doesNotContain(OF_CONTENT);
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void conditions_on_content_that_nobody_gets_do_not_reach_the_upstream(String type, String content, String policy)
            throws IOException {
        upstream.serves(type, content);
        try (var gateway = start(policy)) {
            for (String each : CONDITIONS) {
                assertThat(gateway.get("/f", each + "\r\n")).as(each).startsWith("HTTP/1.1 200 ");
                assertThat(upstream.last()).as(each).doesNotContain("\nif-");
                assertThat(head(gateway, each + "\r\n")).as(each).startsWith("HTTP/1.1 200 ");
                assertThat(upstream.last()).as(each).doesNotContain("\nif-");
            }
            gateway.send("DELETE /f HTTP/1.1\r\nHost: a\r\nConnection: close\r\nIf-Match: \"v0\"\r\n\r\n");
            assertThat(upstream.last()).contains("\nif-match: \"v0\"");

            upstream.answers("HTTP/1.1 304 Same\r\nConnection: close\r\nETag: \"v1\"\r\nContent-MD5: bWQ1\r\n\r\n");
            assertThat(gateway.get("/f")).startsWith("HTTP/1.1 304 ").doesNotContain(OF_CONTENT);
        }
    }

    @Test
    void what_is_only_checked_is_told_as_it_is() throws IOException {
        upstream.serves("application/json", JSON);
        try (var gateway = start("{\"type\": \"json-schema\", \"on\": \"response\", \"schema\": {}}")) {
            assertThat(head(gateway, "")).contains(OF_CONTENT);
            assertThat(gateway.get("/f", CONDITIONS.getFirst() + "\r\n")).startsWith("HTTP/1.1 304 ");
        }
        upstream.serves("image/png", JSON);
        try (var gateway = start(MASKING)) {
            assertThat(head(gateway, "")).contains(OF_CONTENT);
        }
    }

    @Test
    void what_would_be_packed_has_other_digests() throws IOException {
        upstream.serves("application/json", "[" + "1,".repeat(2_000) + "1]");
        try (var gateway = start("{\"type\": \"compression\"}")) {
            String packed = head(gateway, "Accept-Encoding: gzip\r\n");
            assertThat(packed).contains("\r\nETag: W/\"v1\"\r\n").doesNotContain(OF_CONTENT.subList(1, 7));
            assertThat(head(gateway, "")).contains(OF_CONTENT);
            assertThat(gateway.get("/f", "Accept-Encoding: gzip\r\n" + CONDITIONS.getFirst() + "\r\n"))
                    .startsWith("HTTP/1.1 304 ")
                    .contains("\r\nETag: W/\"v1\"\r\n")
                    .doesNotContain(OF_CONTENT.subList(1, 7));
        }
    }

    @Test
    void what_would_be_packed_of_a_kept_answer_has_another_length() throws IOException {
        String policies = "{\"type\": \"compression\"}, {\"type\": \"cache\", \"for\": \"1m\"}";
        upstream.serves("application/json", "[" + "1,".repeat(2_000) + "1]");
        try (var gateway = start(policies)) {
            gateway.get("/f");
            assertThat(head(gateway, "Accept-Encoding: gzip\r\n"))
                    .contains("; hit;", "\r\nETag: W/\"v1\"\r\n")
                    .doesNotContain("Content-Length: ");
            assertThat(head(gateway, "")).contains("; hit;", "Content-Length: 4003\r\n");
        }
        upstream.serves("application/json", "[1]");
        try (var gateway = start(policies)) {
            gateway.get("/f");
            assertThat(head(gateway, "Accept-Encoding: gzip\r\n"))
                    .contains("; hit;", "\r\nETag: \"v1\"\r\n", "Content-Length: 3\r\n");
        }
    }

    private static String head(CachedGateway gateway, String fields) throws IOException {
        return gateway.send("HEAD /f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + fields + "\r\n");
    }
}
