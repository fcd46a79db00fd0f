package gateway.policies.message.graphql;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.Resource;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The documents of a resource, by the names that it gives them and by the SHA-256 of their texts.
final class PersistedQueries {
    private static final int MOST = 10_000;
    private static final String POINTER = "/persisted/queries";

    private final Map<String, String> byName = new HashMap<>();
    private final Map<String, String> byHash = new HashMap<>();
    private final Set<String> texts = new HashSet<>();

    private PersistedQueries() {}

    /// @param shapes by which each has to pass
    /// @throws InvalidConfigException with each that does not
    static PersistedQueries of(Resource resource, QueryShapes shapes) {
        JsonNode all = documents(resource);
        var queries = new PersistedQueries();
        List<ConfigProblem> problems = new ArrayList<>();
        for (var each : all.properties()) {
            try {
                if (!each.getValue().isString()) throw QueryRefusedException.malformed("expected a text");
                queries.add(each.getKey(), each.getValue().stringValue(), shapes);
            } catch (QueryRefusedException e) {
                String message = "the document \"" + each.getKey() + "\" of the resource \"" + resource.id() + "\": ";
                problems.add(new ConfigProblem(POINTER, message + e.refusal().message()));
            }
        }
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        return queries;
    }

    private static JsonNode documents(Resource resource) {
        String where = " in the resource \"" + resource.id() + '"';
        try {
            JsonNode all = Json.parse(resource.bytes(), _ -> {});
            if (all.isObject() && all.size() <= MOST) return all;
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(
                    POINTER,
                    "expected JSON" + where + ": " + e.problems().getFirst().message());
        }
        throw new InvalidConfigException(POINTER, "expected a JSON object of at most " + MOST + " documents" + where);
    }

    private void add(String name, String text, QueryShapes shapes) {
        shapes.read(text);
        byName.put(name, text);
        byHash.put(hash(text), text);
        texts.add(text);
    }

    Optional<String> text(QueryId id) {
        Optional<String> byItsHash = id.hash() ? Optional.ofNullable(byHash.get(id.value())) : Optional.empty();
        return byItsHash.or(() -> Optional.ofNullable(byName.get(id.value())));
    }

    /// Whether this very text is one of them.
    boolean holds(String text) {
        return texts.contains(text);
    }

    static String hash(String text) {
        return HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
