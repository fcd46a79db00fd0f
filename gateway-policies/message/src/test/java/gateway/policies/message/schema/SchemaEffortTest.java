package gateway.policies.message.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.Json;
import gateway.policies.message.BoundReachedException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What one body may take of a thread, whatever its schema makes of it.
final class SchemaEffortTest {
    private static final long USUAL = 100_000; // evaluations, unless a definition says otherwise
    private static final Duration MOST = Duration.ofMillis(50);
    private static final int RUNS = 10;

    @Test
    void many_findings_below_long_names_are_told_in_few_characters() {
        var main = new SchemaDocument(
                SchemaDocument.NAMELESS,
                Json.parse("{\"additionalProperties\": {\"$ref\": \"#\"}, \"items\": {\"type\": \"integer\"}}"),
                "");
        CompiledSchema compiled = CompiledSchema.of(main, List.of(), true);
        String value = "[" + "\"x\",".repeat(99) + "\"x\"]";
        for (int i = 0; i < 20; i++) value = "{\"" + "n~".repeat(5_000) + "\":" + value + "}";

        List<Finding> findings = compiled.findings(Json.parse(value), USUAL, 100);

        assertThat(findings)
                .hasSize(100)
                .allSatisfy(each -> assertThat(each.pointer())
                        .startsWith("/n~0n~0")
                        .endsWith("…")
                        .hasSize(1_001));
    }

    @Test
    void a_pointer_that_is_cut_ends_with_a_whole_character() {
        var main = new SchemaDocument(
                SchemaDocument.NAMELESS, Json.parse("{\"additionalProperties\": {\"type\": \"integer\"}}"), "");
        CompiledSchema compiled = CompiledSchema.of(main, List.of(), true);
        String name = "n".repeat(998) + "\uD83D\uDE00".repeat(2);

        List<Finding> findings = compiled.findings(Json.parse("{\"" + name + "\": \"x\"}"), USUAL, 100);

        assertThat(findings).first().extracting(Finding::pointer).isEqualTo("/" + "n".repeat(998) + "…");
    }

    /// Branches that meet at the same place: whoever evaluates each of them takes time exponential in depth. By the
    /// thread's own CPU time, the least of some runs, so that nothing else of the machine counts.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"anyOf\": [{\"items\": {\"$ref\": \"#\"}, \"type\": \"array\"}, {\"items\": {\"$ref\": \"#\"}, \"type\": \"array\"}]}",
                "{\"oneOf\": [{\"items\": {\"$ref\": \"#\"}}, {\"items\": {\"$ref\": \"#\"}}, {\"not\": {\"items\": {\"$ref\": \"#\"}}}]}",
                "{\"allOf\": [{\"not\": {\"not\": {\"items\": {\"$ref\": \"#\"}}}}, {\"if\": {\"items\": {\"$ref\": \"#\"}}, \"then\": {\"items\": {\"$ref\": \"#\"}}}]}",
                "{\"$dynamicAnchor\": \"a\", \"anyOf\": [{\"contains\": {\"$dynamicRef\": \"#a\"}, \"unevaluatedItems\": false}, {\"prefixItems\": [{\"$dynamicRef\": \"#a\"}], \"unevaluatedItems\": false}], \"type\": \"array\"}"
            })
    void an_exponential_schema_ends_within_50_ms_of_a_thread(String schema) {
        var main = new SchemaDocument(SchemaDocument.NAMELESS, Json.parse(schema), "");
        CompiledSchema compiled = CompiledSchema.of(main, List.of(), true);
        JsonNode value = Json.parse("[".repeat(40) + 1 + "]".repeat(40));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;

        for (int i = 0; i < RUNS; i++) {
            long before = threads.getCurrentThreadCpuTime();
            assertThatThrownBy(() -> compiled.findings(value, USUAL, 20)).isInstanceOf(BoundReachedException.class);
            least = Math.min(least, threads.getCurrentThreadCpuTime() - before);
        }

        assertThat(Duration.ofNanos(least)).isLessThan(MOST);
    }
}
