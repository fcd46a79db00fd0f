package gateway.policies.message.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.schema.FetchedPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The public suite of JSON Patch, npm `json-patch-test-suite`.
final class JsonPatchSuiteTest {
    private static final String SUITE = "json-patch-test-suite@1.1.0";

    @Test
    void passes_the_public_suite() throws IOException {
        Path folder = FetchedPackage.npm(SUITE);
        var failed = new ArrayList<String>();
        int passed = 0;
        for (String file : List.of("tests.json", "spec_tests.json")) {
            for (JsonNode each : Json.parse(withoutTwins(Files.readString(folder.resolve(file)))).values()) {
                if (!each.has("patch") || each.path("disabled").booleanValue(false)) continue;
                if (holds(each)) passed++;
                else failed.add(file + ": " + Json.compact(each));
            }
        }

        assertThat(failed).isEmpty();
        assertThat(passed).isGreaterThan(90);
    }

    /// One test has a name twice in an operation, which no JSON of ours may have.
    private static String withoutTwins(String text) {
        return text.replaceAll("\\{ \"comment\": \"duplicate ops\"(?s:.*?)\"error\": \"[^\"]*\" *\\},", "");
    }

    private static boolean holds(JsonNode test) {
        try {
            ConfigNode node = ConfigNode.of(test.get("patch"));
            JsonPatch patch = JsonPatch.of(test.get("patch"), node);
            node.throwIfInvalid();
            JsonNode result = patch.apply(test.get("doc").deepCopy(), new TreeRoom(10_000, _ -> {}));
            return !test.has("error") && (!test.has("expected") || result.equals(test.get("expected")));
        } catch (OperationFailedException | InvalidConfigException e) {
            return test.has("error");
        }
    }

    @Test
    void does_all_or_nothing() {
        JsonNode document = Json.parse("{\"a\": 1}");
        var patch = JsonPatch.of(
                Json.parse("[{\"op\": \"add\", \"path\": \"/b\", \"value\": 2}, {\"op\": \"test\", \"path\": \"/a\","
                        + " \"value\": 3}]"),
                ConfigNode.parse("{}"));

        assertThatThrownBy(() -> patch.apply(document.deepCopy(), new TreeRoom(10_000, _ -> {}))).isInstanceOf(OperationFailedException.class);
    }
}
