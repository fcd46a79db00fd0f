package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CachePurgeJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"api\":\"orders\",\"soft\":false}",
                "{\"path\":\"/a\",\"soft\":true}",
                "{\"api\":\"orders\",\"prefix\":\"/\",\"tag\":\"t\",\"soft\":false}",
            })
    void what_is_read_is_written_again(String text) {
        assertThat(CachePurgeJson.write(CachePurgeJson.read(ConfigNode.parse(text))))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|expected one of api, path, prefix and tag; everything is {\"prefix\": \"/\"}",
                "{\"soft\": true}|expected one of api, path, prefix and tag; everything is {\"prefix\": \"/\"}",
                "{\"path\": \"a\"}|expected a path that begins with /, got \"a\"",
                "{\"path\": \"/a?x=1\"}|expected a path without a query, which no purge looks at, got \"/a?x=1\"",
                "{\"prefix\": \"/a?\"}|expected a path without a query, which no purge looks at, got \"/a?\"",
                "{\"tag\": 7}|expected text, got 7",
                "{\"tags\": \"a\", \"tag\": \"a\"}|unknown field",
            })
    void what_makes_no_sense_is_refused(String text, String problem) {
        ConfigNode node = ConfigNode.parse(text);
        CachePurgeJson.read(node);

        assertThat(node.problems().getFirst().message()).startsWith(problem);
    }

    @Test
    void conditions_have_a_length() {
        ConfigNode node = ConfigNode.parse("{\"tag\": \"" + "x".repeat(1025) + "\"}");
        CachePurgeJson.read(node);

        assertThat(node.problems())
                .isEqualTo(List.of(new ConfigProblem("/tag", "expected at most 1024 characters, got 1025")));
    }
}
