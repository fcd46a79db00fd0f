package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.service.SecretReference;
import gateway.service.SecretReference.Origin;
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
                "\"hush-hush\"",
                "[\"hush-hush\"]",
                "12345678901",
                "null",
                "{}",
                "{\"secret\": [\"hush-hush\"]}",
                "{\"value\": \"hush-hush\"}",
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
    void references_are_equal_by_what_they_name() {
        assertThat(SecretReader.read(ConfigNode.parse("{\"secret\": \"a\"}")))
                .isEqualTo(new SecretReference(Origin.SECRET, "a"));
    }
}
