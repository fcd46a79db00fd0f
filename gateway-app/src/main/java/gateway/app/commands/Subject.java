package gateway.app.commands;

import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The API that is measured.
record Subject(ApiDefinition api, ObjectNode source) {
    /// What is measured when no definition is given: a key, a rate limit and a quota.
    static final String SAMPLE = """
        {"id": "sample", "match": {"path": "/sample"}, "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]},
         "policies": [{"type": "key-auth"}, {"type": "rate-limit", "requests": 1000, "per": "1s"},
                      {"type": "quota", "requests": 100000, "per": "30d"}]}""";

    /// @param known what the definition may name
    /// @throws gateway.json.InvalidConfigException with every problem of the definition
    static Subject read(String definition, PolicyRegistry known) {
        ApiDefinition api = new DefinitionReader(known).read(definition);
        return new Subject(api, (ObjectNode) Json.parse(definition));
    }

    /// The same pipeline in front of another service, over plain HTTP; its versions too.
    Subject inFrontOf(String url) {
        ObjectNode changed = source.deepCopy();
        changed.putObject("upstream").putArray("targets").addObject().put("url", url);
        for (JsonNode version : changed.at("/versions/list")) ((ObjectNode) version).remove("upstream");
        return new Subject(api, changed);
    }

    boolean asksForKey() {
        return keyAuth().isPresent();
    }

    /// A key that opens the API, with limits of its own that no machine reaches.
    String key() {
        return """
            {"name": "bench", "apis": {"%s": {}}, "rateLimit": {"requests": 1000000, "per": "1s"},
             "quota": {"requests": 1000000000, "per": "30d"}}""".formatted(api.id());
    }

    /// @param method the first that the API serves when absent
    /// @param target path and query; the path that the API matches when absent
    /// @param secret put where the API's `key-auth` looks for it
    LoadRequest request(
            Optional<String> method,
            Optional<String> target,
            List<String> headers,
            int bodyBytes,
            Optional<String> secret) {
        var all = new ArrayList<>(headers);
        String to = target.orElse(api.match().path().replaceAll("\\{[^}]*}", "1"));
        if (secret.isPresent()) to = with(secret.get(), to, all);
        String host =
                api.match().hosts().stream().findFirst().orElse("localhost").replace("*", "bench");
        String usual = api.match().methods().stream().sorted().findFirst().orElse("GET");
        return new LoadRequest(method.orElse(usual), to, host, all, bodyBytes);
    }

    private String with(String secret, String target, List<String> headers) {
        JsonNode policy = keyAuth().orElseThrow();
        if (policy.has("cookie")) {
            headers.add("Cookie: " + policy.get("cookie").asString() + "=" + secret);
        } else if (policy.has("query")) {
            return target + (target.contains("?") ? "&" : "?")
                    + policy.get("query").asString() + "=" + secret;
        } else {
            headers.add(policy.path("header").asString("Authorization") + ": " + secret);
        }
        return target;
    }

    private Optional<JsonNode> keyAuth() {
        return StreamSupport.stream(source.path("policies").spliterator(), false)
                .filter(policy -> policy.path("type").asString("").equals("key-auth"))
                .findFirst();
    }
}
