package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The records in a data stream, all of them looked at one by one: approximate counts prove nothing.
final class TrafficIndex {
    private static final int PAGE = 10_000;
    private static final String REQUEST_ID = "http.request.id";

    private final ElasticsearchProcess elasticsearch;
    private final String stream;

    private TrafficIndex(ElasticsearchProcess elasticsearch, String stream) {
        this.elasticsearch = elasticsearch;
        this.stream = stream;
    }

    /// What is searchable from now on.
    static TrafficIndex of(ElasticsearchProcess elasticsearch, String stream) throws IOException {
        elasticsearch.post("/" + stream + "/_refresh", "");
        return new TrafficIndex(elasticsearch, stream);
    }

    long count() throws IOException {
        return elasticsearch.get("/" + stream + "/_count").path("count").asLong();
    }

    /// Requests 0 to before `count` of a [HttpLoad] have one record each, and nothing else has one.
    void assertHoldsRequestsBefore(long count) throws IOException {
        Map<String, Long> wanted = new HashMap<>();
        for (long number = 0; number < count; number++) wanted.put("load-" + number, 1L);
        assertThat(requests().equals(wanted)).as("each request once").isTrue();
        assertThat(count()).isEqualTo(count);
        assertThat(occurrences("event.id")).hasSize((int) count);
    }

    /// There are so many records or more, no two of the same request. A record that was dropped after an answer that
    /// never came may be among them.
    void assertHoldsAtLeast(long least, long most) throws IOException {
        long count = count();
        assertThat(count).isBetween(least, most);
        assertThat(requests()).hasSize((int) count);
        assertThat(occurrences("event.id")).hasSize((int) count);
    }

    /// Request ids, and how many records each has.
    Map<String, Long> requests() throws IOException {
        return occurrences(REQUEST_ID);
    }

    /// The numbers that a run has given its records, in the order in which Elasticsearch took them.
    List<Long> numbersInOrder() throws IOException {
        List<Long> numbers = new ArrayList<>();
        String after = "";
        while (true) {
            JsonNode hits = search("{\"size\": %d, \"sort\": [{\"_seq_no\": \"asc\"}], \"_source\": false%s}"
                            .formatted(PAGE, after))
                    .at("/hits/hits");
            for (JsonNode hit : hits) {
                String id = hit.path("_id").asString();
                numbers.add(Long.valueOf(id.substring(id.lastIndexOf('-') + 1)));
                after = ", \"search_after\": " + hit.path("sort");
            }
            if (hits.size() < PAGE) return numbers;
        }
    }

    private Map<String, Long> occurrences(String field) throws IOException {
        Map<String, Long> found = new HashMap<>();
        String after = "";
        while (true) {
            JsonNode pages = search("""
                    {"size": 0, "aggs": {"all": {"composite": {"size": %d,
                    "sources": [{"value": {"terms": {"field": "%s"}}}]%s}}}}""".formatted(PAGE, field, after)).at("/aggregations/all");
            for (JsonNode bucket : pages.path("buckets")) {
                found.put(
                        bucket.at("/key/value").asString(),
                        bucket.path("doc_count").asLong());
            }
            if (pages.path("after_key").isMissingNode()) return found;
            after = ", \"after\": " + pages.path("after_key");
        }
    }

    private JsonNode search(String query) throws IOException {
        JsonNode answer = elasticsearch.post("/" + stream + "/_search", query);
        if (answer.has("error")) throw new IOException(answer.path("error").toString());
        return answer;
    }
}
