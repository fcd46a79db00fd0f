package gateway.jmh;

import gateway.service.DefinitionSet;
import java.util.HashMap;

/// Definitions to measure with: `count` APIs at `/team-<n>/service-<n>`, each with six policies.
final class Definitions {
    private static final String POLICIES =
            """
            [{"type": "ip-filter", "deny": ["192.0.2.0/24"]},
             {"type": "request-size-limit", "max": "1MiB"},
             {"type": "key-auth"},
             {"type": "rate-limit", "requests": 1000000, "per": "1s"},
             {"type": "quota", "requests": 1000000000, "per": "30d"},
             {"type": "headers", "request": {"set": {"X-Consumer": "{key.id}"}}}]""";

    private Definitions() {}

    static DefinitionSet of(int count) {
        var documents = new HashMap<String, String>();
        for (int i = 0; i < count; i++) documents.put(id(i), text(i, "v1"));
        return new DefinitionSet(1, documents);
    }

    /// The same with the API `changed` under another name.
    static DefinitionSet withChange(DefinitionSet definitions, int changed, String name) {
        var documents = new HashMap<>(definitions.documents());
        documents.put(id(changed), text(changed, name));
        return new DefinitionSet(definitions.revision() + 1, documents);
    }

    static String path(int i) {
        return "/team-" + i % 100 + "/service-" + i;
    }

    private static String id(int i) {
        return "api-" + i;
    }

    private static String text(int i, String name) {
        return """
                {"id": "%s", "name": "%s", "match": {"path": "%s"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}, "policies": %s}"""
                .formatted(id(i), name, path(i), POLICIES);
    }
}
