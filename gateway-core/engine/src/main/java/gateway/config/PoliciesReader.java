package gateway.config;

import gateway.json.ConfigNode;
import gateway.json.Suggestion;
import gateway.policy.PolicyDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads lists of policies.
final class PoliciesReader {
    private final PolicyRegistry registry;

    PoliciesReader(PolicyRegistry registry) {
        this.registry = registry;
    }

    /// The policies of an API.
    List<PolicyDefinition> read(ConfigNode node) {
        return read(node, "", true);
    }

    /// @param prefix of the steps' names: they name counters, so they are unique within an API
    /// @param preflights whether policies that answer preflights may be among them
    List<PolicyDefinition> read(ConfigNode node, String prefix, boolean preflights) {
        Map<String, Integer> seen = new HashMap<>();
        return node.list(entry -> readPolicy(entry, seen, prefix, preflights)).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<PolicyDefinition> readPolicy(
            ConfigNode node, Map<String, Integer> seen, String prefix, boolean preflights) {
        if (!node.requireObject()) return Optional.empty();
        var typeField = node.field("type");
        String name = typeField.requiredText();
        if (name.isEmpty()) return Optional.empty();
        var type = registry.type(name);
        if (type.isEmpty()) {
            typeField.problem("unknown policy type \"" + name + "\"" + suggestion(name));
            return Optional.empty();
        }
        var when = ConditionReader.read(node.field("when"));
        var spec = type.get().read(node);
        node.refuseUnknownFields();
        if (!preflights && spec.answersPreflight()) {
            typeField.problem("expected " + name + " among the policies of the API: a preflight names no version");
        }
        int ordinal = seen.merge(name, 1, Integer::sum);
        String step = prefix + (ordinal == 1 ? name : name + "-" + ordinal);
        return Optional.of(new PolicyDefinition(step, type.get().stage(), spec, when));
    }

    private String suggestion(String name) {
        return Suggestion.nearest(name, registry.names())
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("; known are " + String.join(", ", registry.names()));
    }
}
