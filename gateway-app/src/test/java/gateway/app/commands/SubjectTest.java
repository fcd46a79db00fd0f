package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.config.PolicyRegistry;
import gateway.json.InvalidConfigException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SubjectTest {
    private static final PolicyRegistry KNOWN = PolicyRegistry.load();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\": \"key-auth\"}                      | /users/1         | Authorization: s3cret",
                "{\"type\": \"key-auth\", \"header\": \"X-Key\"}   | /users/1         | X-Key: s3cret",
                "{\"type\": \"key-auth\", \"cookie\": \"session\"} | /users/1         | Cookie: session=s3cret",
                "{\"type\": \"key-auth\", \"query\": \"k\"}        | /users/1?k=s3cret| Host: bench.example.org"
            })
    void puts_the_key_where_the_api_looks_for_it(String policy, String target, String line) {
        Subject subject = Subject.read(definition(policy), KNOWN);

        String request = text(subject.request(Optional.empty(), Optional.empty(), List.of(), 0, Optional.of("s3cret")));

        assertThat(request).startsWith("POST " + target + " HTTP/1.1\r\nHost: bench.example.org\r\n");
        assertThat(request).contains("\r\n" + line + "\r\n").endsWith("\r\n\r\n");
    }

    @Test
    void sends_what_it_is_told_to() {
        Subject subject = Subject.read(definition("{\"type\": \"mock-response\"}"), KNOWN);

        String request = text(
                subject.request(Optional.of("PUT"), Optional.of("/users/7?a=b"), List.of("A: b"), 3, Optional.empty()));

        assertThat(subject.asksForKey()).isFalse();
        assertThat(request)
                .isEqualTo(
                        "PUT /users/7?a=b HTTP/1.1\r\nHost: bench.example.org\r\nA: b\r\nContent-Length: 3\r\n\r\nxxx");
    }

    @Test
    void keeps_the_pipeline_in_front_of_another_service() {
        Subject subject =
                Subject.read(definition("{\"type\": \"key-auth\"}"), KNOWN).inFrontOf("http://127.0.0.1:9");

        assertThat(subject.source().at("/upstream/targets/0/url").asString()).isEqualTo("http://127.0.0.1:9");
        assertThat(subject.source().at("/policies/0/type").asString()).isEqualTo("key-auth");
    }

    @Test
    void keeps_what_is_measured_away_from_the_services_of_its_versions() {
        Subject subject = Subject.read("""
            {"id": "users", "match": {"path": "/users"}, "upstream": {"targets": [{"url": "http://10.0.0.1:1"}]},
             "versions": {"in": "query", "name": "v", "default": "v2", "list": [
               {"name": "v1"}, {"name": "v2", "upstream": {"targets": [{"url": "http://10.0.0.2:1"}]}}]}}""", KNOWN);

        String measured = subject.inFrontOf("http://127.0.0.1:9").source().toString();

        assertThat(measured)
                .contains("\"default\":\"v2\"", "http://127.0.0.1:9")
                .doesNotContain("10.0.0.");
    }

    @Test
    void a_wrong_definition_is_refused_with_every_problem() {
        assertThatThrownBy(() -> Subject.read("{\"id\": \"a\", \"mach\": {}}", KNOWN))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/mach");
    }

    private static String definition(String policy) {
        return """
            {"id": "users", "match": {"hosts": ["*.example.org"], "path": "/users/{id}", "methods": ["POST"]},
             "upstream": {"targets": [{"url": "http://10.0.0.1:1"}]}, "policies": [%s]}""".formatted(policy);
    }

    private static String text(LoadRequest request) {
        return StandardCharsets.ISO_8859_1.decode(request.encoded()).toString();
    }
}
