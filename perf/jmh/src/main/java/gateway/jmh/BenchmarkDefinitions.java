package gateway.jmh;

import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import java.util.HashMap;

/// Definitions to measure with: `count` APIs at `/team-<n>/service-<n>`, each with six policies.
final class BenchmarkDefinitions {
    private static final String POLICIES = """
            [{"type": "ip-filter", "deny": ["192.0.2.0/24"]},
             {"type": "request-size-limit", "max": "1MiB"},
             {"type": "key-auth"},
             {"type": "rate-limit", "requests": 1000000, "per": "1s"},
             {"type": "quota", "requests": 1000000000, "per": "30d"},
             {"type": "headers", "request": {"set": {"X-Consumer": "{key.id}"}}}]""";

    private static final String LIMITS = """
            [{"type": "key-auth"},
             {"type": "rate-limit", "requests": 1000000, "per": "1ms"},
             {"type": "quota", "requests": 1000000000000, "per": "30d"}]""";
    private static final String SIX = """
            [{"type": "ip-filter", "deny": ["192.0.2.0/24"]},
             {"type": "request-size-limit", "max": "1MiB"},
             {"type": "path-rules", "block": [{"path": "/admin"}]},
             {"type": "cors", "allowedOrigins": ["https://app.example.com"]},
             {"type": "headers", "request": {"set": {"X-Plan": "gold"}}},
             {"type": "mock-response", "status": 200, "when": {"methods": ["POST"]}}]""";

    private BenchmarkDefinitions() {}

    /// One definition, `api-0`, with the policies called `none`, `six` or `limits`.
    static String single(String policies) {
        return switch (policies) {
            case "none" -> text(0, "v1", "[]");
            case "six" -> text(0, "v1", SIX);
            case "limits" -> text(0, "v1", LIMITS);
            default -> throw new IllegalArgumentException(policies);
        };
    }

    static DefinitionSet of(int count) {
        var documents = new HashMap<String, String>();
        for (int i = 0; i < count; i++) documents.put(id(i), text(i, "v1", POLICIES));
        return DefinitionSet.ofApis(1, documents);
    }

    /// The same with the API `changed` under another name.
    static DefinitionSet withChange(DefinitionSet definitions, int changed, String name) {
        var documents = new HashMap<>(definitions.documents());
        documents.put(DocumentId.api(id(changed)), text(changed, name, POLICIES));
        return new DefinitionSet(definitions.revision() + 1, documents);
    }

    static String path(int i) {
        return "/team-" + i % 100 + "/service-" + i;
    }

    private static String id(int i) {
        return "api-" + i;
    }

    private static String text(int i, String name, String policies) {
        return """
                {"id": "%s", "name": "%s", "match": {"path": "%s"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}, "policies": %s}""".formatted(id(i), name, path(i), policies);
    }
}
