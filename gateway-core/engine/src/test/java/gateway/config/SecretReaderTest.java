package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.service.SecretReference;
import gateway.service.SecretReference.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretReaderTest {
    @ParameterizedTest
    @CsvSource({"secret,orders-token", "env,GATEWAY_SECRET_ORDERS", "file,tls/orders.key", "file,_hidden"})
    void a_reference_names_where_a_secret_is(String origin, String name) {
        ConfigNode node = ConfigNode.parse("{\"" + origin + "\": \"" + name + "\"}");

        SecretReference read = SecretReader.read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(read.name()).isEqualTo(name);
        assertThat(read.origin().name()).isEqualToIgnoringCase(origin);
        assertThat(read).hasToString("{\"" + origin + "\": \"" + name + "\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "[\"hush-hush\"]",
                "12345678901",
                "null",
                "{}",
                "{\"secret\": [\"hush-hush\"]}",
                "{\"value\": \"hush-hush\"}",
                "{\"masked\": \"1f8a03c2\"}",
                "{\"broken\": \"why\"}",
                "{\"sealed\": 12345678901}",
                "{\"sealed\": \"v1.0a1b2c3d.AAAA\", \"secret\": \"a\"}",
                "{\"secret\": \"a\", \"env\": \"GATEWAY_SECRET_A\"}",
                "{\"env\": \"PATH\"}",
                "{\"env\": \"GATEWAY_ADMIN_TOKEN\"}",
                "{\"env\": \"GATEWAY_SECRETS_KEY\"}",
                "{\"file\": \"../passwd\"}",
                "{\"file\": \"a/../../passwd\"}",
                "{\"file\": \"/etc/passwd\"}",
                "{\"file\": \".hidden\"}",
                "{\"file\": \"a//b\"}",
                "{\"secret\": \"a/b\"}"
            })
    void anything_else_is_a_problem_that_does_not_repeat_it(String text) {
        ConfigNode node = ConfigNode.parse(text);

        SecretReader.read(node);

        assertThat(node.problems()).isNotEmpty();
        assertThat(node.problems().toString()).doesNotContain("hush-hush").doesNotContain("12345678901");
    }

    @Test
    void a_text_is_a_secret_that_is_to_be_sealed_and_nothing_that_is_read_repeats_it() {
        ConfigNode node = ConfigNode.parse("{\"a/b\": [\"hush-hush\"]}");

        List<SecretReference> read = node.field("a/b").list(SecretReader::read);

        assertThat(node.problems()).isEmpty();
        assertThat(node.secrets()).containsExactly("/a~1b/0");
        assertThat(read.toString()).doesNotContain("hush-hush");
        assertThat(read.getFirst().name()).isEmpty();
    }

    @Test
    void a_text_that_is_too_long_is_a_problem() {
        ConfigNode node = ConfigNode.of(Json.mapper().valueToTree("h".repeat(SecretReader.MOST_CHARACTERS + 1)));

        SecretReader.read(node);

        assertThat(node.problems()).hasSize(1);
    }

    @Test
    void an_envelope_is_one_of_the_document_that_it_stands_in_and_is_not_shown() {
        ConfigNode node = ConfigNode.parse("{\"sealed\": \"v1.0a1b2c3d.AAAA\"}", "apis/orders");

        SecretReference read = SecretReader.read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(read).isEqualTo(new SecretReference(Origin.SEALED, "v1.0a1b2c3d.AAAA", "apis/orders"));
        assertThat(read.toString()).doesNotContain("v1");
    }

    @Test
    void what_could_not_be_sealed_says_why() {
        ConfigNode node = ConfigNode.parse("{\"broken\": \"there is no key\"}");

        SecretReader.read(node);

        assertThat(node.problems()).containsExactly(new ConfigProblem("", "there is no key"));
    }

    @Test
    void references_are_equal_by_what_they_name() {
        assertThat(SecretReader.read(ConfigNode.parse("{\"secret\": \"a\"}")))
                .isEqualTo(new SecretReference(Origin.SECRET, "a"));
    }
}
