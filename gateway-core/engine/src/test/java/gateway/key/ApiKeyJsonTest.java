package gateway.key;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import java.util.List;
import java.util.Optional;
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
        assertThat(key.grant("orders").orElseThrow().covers("HEAD", "/items/7")).isTrue();
        assertThat(key.grant("orders").orElseThrow().covers("POST", "/items")).isFalse();
        assertThat(key.grant("orders").orElseThrow().covers("GET", "/itemsx")).isFalse();
        assertThat(key.grant("catalogue").orElseThrow().covers("DELETE", "/any"))
                .isTrue();
        assertThat(key.grant("billing")).isEmpty();
    }

    @Test
    void opens_every_version_or_those_that_it_names() {
        String json = "{\"apis\": {\"orders\": {\"versions\": [\"v1\", \"v2\"]}, \"catalogue\": {}}}";
        ApiKey key = ApiKeyJson.read(ConfigNode.parse(json));
        ApiGrant some = key.grant("orders").orElseThrow();
        ApiGrant all = key.grant("catalogue").orElseThrow();

        assertThat(List.of(some.opens("v2"), some.opens("v3"), some.opens(""))).containsExactly(true, false, false);
        assertThat(List.of(all.opens("v2"), all.opens(""))).containsExactly(true, true);
        assertThat(ApiKeyJson.read(ConfigNode.of(ApiKeyJson.write(key)))).isEqualTo(key);
    }

    @Test
    void methods_that_are_none_are_refused_and_read_where_they_are_stored() {
        String json = "{\"id\": \"k\", \"apis\": {\"a\": {\"paths\":"
                + " [{\"path\": \"/\", \"methods\": [\"ge t\", \"GET\"]}]}}}";
        var written = ConfigNode.parse(json);
        var stored = ConfigNode.parse(json);

        ApiKeyJson.read(written);
        ApiKey key = ApiKeyJson.stored(stored);

        assertThat(written.problems().stream().map(ConfigProblem::toString))
                .containsExactly("/apis/a/paths/0/methods/0: expected a method such as \"GET\", got \"ge t\"");
        assertThat(stored.problems()).isEmpty();
        assertThat(key.grant("a").orElseThrow().covers("GET", "/x")).isTrue();
    }

    @Test
    void names_wrong_versions() {
        var node = ConfigNode.parse("{\"apis\": {\"a\": {\"versions\": []}, \"b\": {\"versions\": [\"v 1\", 2]},"
                + " \"c\": {\"versions\": \"v1\"}}}");

        ApiKeyJson.read(node);

        assertThat(node.problems().stream().map(ConfigProblem::toString))
                .containsExactly(
                        "/apis/a/versions: expected at least one version, got []",
                        "/apis/b/versions/0: expected the name of a version, got \"v 1\"",
                        "/apis/b/versions/1: expected text, got 2",
                        "/apis/c/versions: expected an array, got \"v1\"");
    }

    @Test
    void keeps_credentials_and_names_what_is_wrong_with_them() {
        String json = """
                {"id": "key_1", "credentials": [{"algorithm": "ed25519", "pem": "PEM"},
                 {"algorithm": "hmac-sha256", "sealed": "v1.x.y"}]}""";
        ApiKey key = ApiKeyJson.read(ConfigNode.parse(json));
        assertThat(key.credentials())
                .containsExactly(
                        new KeyCredential("ed25519", Optional.of("PEM"), Optional.empty()),
                        new KeyCredential("hmac-sha256", Optional.empty(), Optional.of("v1.x.y")));
        assertThat(ApiKeyJson.read(ConfigNode.of(ApiKeyJson.write(key)))).isEqualTo(key);

        var node = ConfigNode.parse("""
                {"credentials": [{"algorithm": "rot13", "pem": "PEM"}, {"algorithm": "ed25519"},
                 {"algorithm": "hmac-sha256"}, {"algorithm": "hmac-sha256", "pem": "PEM"},
                 {"algorithm": "ed25519", "pem": "PEM", "sealed": "x"}, {"algorithm": "hmac-sha1", "secret": "clear"},
                 {}, 1, {"algorithm": "ed25519", "pem": "PEM"}]}""");
        ApiKeyJson.read(node);
        assertThat(node.problems().stream().map(ConfigProblem::pointer).distinct())
                .containsExactlyInAnyOrder(
                        "/credentials/0/algorithm",
                        "/credentials/1",
                        "/credentials/2",
                        "/credentials/3",
                        "/credentials/4",
                        "/credentials/5/secret",
                        "/credentials/6/algorithm",
                        "/credentials/7",
                        "/credentials/7/algorithm",
                        "/credentials");
        assertThat(node.problems().toString()).doesNotContain("clear");
    }
}
