package gateway.key;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import org.junit.jupiter.api.Test;

class ApiKeyJsonTest {
    private static final String ALICE = """
            {"id": "key_1", "name": "alice", "enabled": true, "expires": "2027-01-01T00:00:00Z",
             "apis": {"orders": {"paths": [{"path": "/items", "methods": ["GET"]}]}, "catalogue": {}},
             "rateLimit": {"requests": 100, "per": "1s"}, "quota": {"requests": 100000, "per": "30d"},
             "tags": ["gold"], "metadata": {"plan": "gold"}}""";

    @Test
    void writes_what_it_read() {
        var node = ConfigNode.parse(ALICE);

        ApiKey key = ApiKeyJson.read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(ApiKeyJson.write(key).toPrettyString())
                .isEqualTo(Json.parse(ALICE).toPrettyString());
    }

    @Test
    void names_every_problem() {
        var node = ConfigNode.parse("""
                {"id": "a b", "expires": "tomorrow", "apis": {"x": {"paths": [{"path": "items"}]}},
                 "rateLimit": {"requests": 0}, "tag": []}""");

        ApiKeyJson.read(node);

        assertThat(node.problems().stream().map(ConfigProblem::pointer))
                .containsExactly(
                        "/id", "/expires", "/apis/x/paths/0/path", "/rateLimit/requests", "/rateLimit/per", "/tag");
    }

    @Test
    void opens_only_what_it_grants() {
        ApiKey key = ApiKeyJson.read(ConfigNode.parse(ALICE));

        assertThat(key.grant("orders").orElseThrow().covers("GET", "/items/7")).isTrue();
        assertThat(key.grant("orders").orElseThrow().covers("POST", "/items")).isFalse();
        assertThat(key.grant("orders").orElseThrow().covers("GET", "/itemsx")).isFalse();
        assertThat(key.grant("catalogue").orElseThrow().covers("DELETE", "/any"))
                .isTrue();
        assertThat(key.grant("billing")).isEmpty();
    }
}
