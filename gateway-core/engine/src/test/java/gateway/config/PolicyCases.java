package gateway.config;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.FakeServices;
import gateway.policy.PolicyType;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.ResourceDocument;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The types that are held to the contract, each with an example, and what it takes to have one at work.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PolicyCases {
    protected static final String SECRET = "hush-a-secret-of-the-contract-as-long-as-any-key-has-to-be-here";

    /// Those that are held to it.
    protected abstract List<PolicyType> types();

    /// A sound entry of a list of policies.
    protected abstract String example(PolicyType type);

    /// What the example names by `{"resource": …}`, by id.
    protected Map<String, String> resources(PolicyType type) {
        return Map.of();
    }

    /// Where it asks something outside of the process. One that takes what may be away has a case for it.
    protected List<OutageCase> outages(PolicyType type) {
        return List.of();
    }

    /// With every secret and resource that the example refers to.
    final FakeServices services(PolicyType type) {
        return services(type, json(type));
    }

    final FakeServices services(PolicyType type, JsonNode policy) {
        var services = new FakeServices();
        resources(type).forEach(services::putResource);
        putSecrets(policy, services);
        return services;
    }

    /// An API of this policy, with every secret and resource that it refers to.
    final DefinitionSet definitions(PolicyType type, JsonNode policy, FakeServices services) {
        var documents = new HashMap<DocumentId, String>();
        documents.put(
                DocumentId.api("orders"),
                definition(policy).json().orElseThrow().toString());
        for (String name : secrets(policy)) {
            documents.put(new DocumentId(DocumentKind.SECRETS, name), "{\"value\": \"" + SECRET + "\"}");
        }
        resources(type).forEach((id, content) -> {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            services.contents().keep(bytes);
            documents.put(
                    new DocumentId(DocumentKind.RESOURCES, id),
                    ResourceDocument.of(id, "", bytes).json());
        });
        return new DefinitionSet(1, documents);
    }

    private static void putSecrets(JsonNode node, FakeServices services) {
        for (Origin origin : Origin.values()) {
            JsonNode name = node.path(ConfigNode.word(origin));
            if (node.size() == 1 && name.isString()) services.secrets().put(origin, name.stringValue(), SECRET);
        }
        node.values().forEach(each -> putSecrets(each, services));
    }

    /// The names of those that `node` refers to.
    static List<String> secrets(JsonNode node) {
        JsonNode name = node.path("secret");
        if (name.isString()) return List.of(name.stringValue());
        return node.values().stream().flatMap(each -> secrets(each).stream()).toList();
    }

    final Response answer(PolicyType type, FakeServices services, Exchanges request) {
        return run(pipeline(type, services), request);
    }

    static Response run(Pipeline pipeline, Exchanges request) {
        return pipeline.run(request.make(), new PipelineRun(UpstreamWaiter.NOBODY));
    }

    final Pipeline pipeline(PolicyType type, FakeServices services) {
        ConfigNode node = definition(json(type));
        ApiDefinition api = reader().read(node);
        node.throwIfInvalid();
        return Pipeline.compile("orders", api.policies(), (_, _) -> Response.of(200), services);
    }

    final ObjectNode json(PolicyType type) {
        return (ObjectNode) Json.parse(example(type));
    }

    final DefinitionReader reader() {
        return new DefinitionReader(PolicyRegistry.of(types()));
    }

    static ConfigNode definition(JsonNode policy) {
        var json = (ObjectNode) Json.parse("""
                {"id": "orders", "match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://10.0.0.1"}]}}
                """);
        json.putArray("policies").add(policy);
        return ConfigNode.of(json);
    }
}
