package gateway.app.message;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.cache.CachedGateway;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What stands in heads alone, and what heads say of content that is looked at. As bytes on sockets.
@Timeout(120)
final class GatewayFilteredHeadsTest {
    private static final String INTERNAL = """
            {"type": "content-filter", "on": "both", "rules": [
              {"name": "internal", "regex": "(?i)x-internal-[a-z]+", "in": ["headers"]},
              {"name": "secret", "words": ["secret"], "in": ["headers"]}]}""";
    private static final String JSON = "{\"n\":\"4111111111111111\"}";

    @TempDir
    private Path data;

    private final FileUpstream upstream = FileUpstream.start();

    @AfterEach
    void close() {
        upstream.close();
    }

    private CachedGateway start(String policies) {
        return upstream.gateway(data, policies, Map.of());
    }

    private static String answer(String status, String fields) {
        return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + fields + "\r\n";
    }

    @Test
    void headers_of_answers_without_content_are_looked_at() throws IOException {
        try (var gateway = start(INTERNAL)) {
            for (String status : List.of("204 No", "304 Same", "200 OK", "404 No")) {
                for (String method : List.of("GET", "HEAD", "DELETE")) {
                    upstream.answers(answer(status, "X-Note: a secret\r\n"));
                    String refused = gateway.send(method + " /f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                    assertThat(refused)
                            .as(status + method)
                            .startsWith("HTTP/1.1 502 ")
                            .doesNotContain("secret\r\n");

                    upstream.answers(answer(status, "X-Note: a word\r\n"));
                    assertThat(gateway.send(method + " /f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                            .startsWith("HTTP/1.1 " + status.substring(0, 3));
                }
            }
        }
    }

    @Test
    void names_of_headers_are_looked_at() throws IOException {
        try (var gateway = start(INTERNAL)) {
            upstream.answers(answer("200 OK", "X-Internal-Node: 7\r\n"));
            assertThat(gateway.get("/f")).startsWith("HTTP/1.1 502 ").doesNotContain("X-Internal-Node: 7");

            upstream.answers(answer("200 OK", ""));
            assertThat(gateway.get("/f", "x-internal-user: 1\r\n"))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("refused by internal");
            assertThat(gateway.get("/f", "X-External-User: 1\r\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: application/json\r\nContent-Type: text/x-unknown\r\n",
                "Content-Type: image/png\r\nContent-Type: application/json\r\n",
                "Content-Type: application/json\r\nContent-Type: application/json\r\n",
                "Content-Type: image/png, application/json\r\n",
                "Content-Type: image/png; a=\"b\", application/json\r\n"
            })
    void an_answer_that_says_two_types_is_of_none_and_refused(String types) throws IOException {
        upstream.answers(answer("200 OK", types + "Content-Length: " + JSON.length() + "\r\n") + JSON);
        for (String policy : List.of(
                """
                {"type": "content-filter", "on": "both", "rules": [
                  {"name": "card", "set": "payment-card", "in": ["body"], "action": "mask"}]}""",
                "{\"type\": \"json-schema\", \"on\": \"both\", \"otherTypes\": \"pass\", \"schema\": {\"maxProperties\": 0}}",
                "{\"type\": \"json-transform\", \"on\": \"both\", \"operations\": [{\"remove\": \"/n\"}]}")) {
            try (var gateway = start(policy)) {
                assertThat(gateway.get("/f"))
                        .as(policy)
                        .startsWith("HTTP/1.1 502 ")
                        .contains("response-refused")
                        .doesNotContain("4111");
            }
        }
    }

    @Test
    void one_type_with_a_comma_in_a_text_is_one() throws IOException {
        upstream.answers(
                answer("200 OK", "Content-Type: image/png; a=\"b, \\\" c/d\"\r\nContent-Length: 2\r\n") + "{}");
        try (var gateway = start("{\"type\": \"json-schema\", \"on\": \"both\", \"schema\": {\"minProperties\": 1}}")) {
            assertThat(gateway.get("/f")).startsWith("HTTP/1.1 200 ").endsWith("{}");
        }
    }

    @Test
    void what_was_held_whole_announces_nothing_that_comes_behind_it() throws IOException {
        upstream.answers(
                answer("200 OK", "Content-Type: application/json\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n")
                        + "2\r\n{}\r\n0\r\nX-Sum: 7\r\n\r\n");
        try (var gateway = start("{\"type\": \"json-schema\", \"on\": \"both\", \"schema\": {}}")) {
            assertThat(gateway.get("/f"))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("\r\n\r\n{}")
                    .doesNotContainIgnoringCase("Trailer")
                    .doesNotContain("X-Sum");
        }
    }
}
