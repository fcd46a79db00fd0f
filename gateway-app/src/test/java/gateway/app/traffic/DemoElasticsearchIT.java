package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.commands.DemoCommand;
import gateway.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The demonstration's records in a real Elasticsearch, and the Kibana dashboard's questions asked of them.
class DemoElasticsearchIT {
    private static final Path KIBANA = Path.of("../docs/dashboards/kibana.ndjson");
    private static final String INDEX = "/logs-gateway.traffic-default/_search";

    @TempDir
    static Path work;

    private static ElasticsearchProcess elasticsearch;
    private static final StringWriter OUT = new StringWriter();
    private static int exit;

    @BeforeAll
    static void play() throws IOException, InterruptedException {
        elasticsearch = ElasticsearchProcess.start(work);
        String location =
                elasticsearch.uri().toString().replace("//", "//elastic:" + ElasticsearchProcess.PASSWORD + "@");
        exit = new CommandLine(new DemoCommand())
                .setOut(new PrintWriter(OUT, true))
                .execute("--once", "--elasticsearch", location);
        elasticsearch.post("/logs-gateway.traffic-default/_refresh", "");
    }

    @AfterAll
    static void stop() throws IOException {
        if (elasticsearch != null) elasticsearch.close();
    }

    @Test
    void every_request_of_the_demonstration_is_indexed_and_the_way_to_the_dashboards_is_told() throws IOException {
        assertThat(exit).as(OUT.toString()).isZero();
        assertThat(OUT.toString())
                .contains("docs/dashboards/kibana.ndjson")
                .contains("docs/dashboards/grafana.json")
                .doesNotContain(ElasticsearchProcess.PASSWORD);
        assertThat(elasticsearch
                        .get("/logs-gateway.traffic-default/_count")
                        .path("count")
                        .asInt())
                .isGreaterThanOrEqualTo(300);
    }

    @Test
    void every_visualization_of_the_kibana_dashboard_finds_something() throws IOException {
        var seen = new ArrayList<String>();
        for (String line : Files.readAllLines(KIBANA)) {
            JsonNode attributes = Json.parse(line).path("attributes");
            if (!attributes.has("visState")) continue;
            JsonNode state = Json.parse(attributes.path("visState").asString());
            String query = Json.parse(attributes
                            .at("/kibanaSavedObjectMeta/searchSourceJSON")
                            .asString())
                    .at("/query/query")
                    .asString();

            JsonNode answer = elasticsearch.post(INDEX, search(state.path("aggs"), query));

            assertThat(answer.at("/hits/total/value").asInt()).as(line + answer).isPositive();
            answer.path("aggregations")
                    .forEach(each -> assertThat(answered(each))
                            .as(state.path("title") + ": " + each)
                            .isTrue());
            seen.add(state.path("title").asString());
        }
        assertThat(seen).hasSize(8);
    }

    /// Buckets with something in them, or a metric with a value.
    private static boolean answered(JsonNode aggregation) {
        if (aggregation.has("buckets")) return !aggregation.path("buckets").isEmpty();
        return aggregation.has("values") || aggregation.path("value").isNumber();
    }

    /// What Kibana asks for a visualization: its buckets one in the other, its metrics in the innermost.
    private static String search(JsonNode aggs, String query) {
        ObjectNode root = Json.mapper().createObjectNode().put("size", 0);
        root.putObject("query").putObject("query_string").put("query", query.isEmpty() ? "*" : lucene(query));
        ObjectNode inner = root;
        for (JsonNode each : aggs) {
            if (!isBucket(each)) continue;
            ObjectNode agg = inner.withObject("/aggs").putObject(each.path("id").asString());
            ObjectNode asked = agg.putObject(each.path("type").asString());
            asked.put("field", each.at("/params/field").asString());
            if (each.path("type").asString().equals("terms"))
                asked.put("size", each.at("/params/size").asInt());
            else asked.put("fixed_interval", "10s").put("min_doc_count", 1);
            inner = agg;
        }
        for (JsonNode each : aggs) {
            if (isBucket(each) || each.path("type").asString().equals("count")) continue;
            inner.withObject("/aggs")
                    .putObject(each.path("id").asString())
                    .putObject(each.path("type").asString())
                    .put("field", each.at("/params/field").asString());
        }
        return Json.compact(root);
    }

    private static boolean isBucket(JsonNode agg) {
        return List.of("terms", "date_histogram").contains(agg.path("type").asString());
    }

    private static String lucene(String kuery) {
        return kuery.replace(" >= ", ":>=");
    }
}
