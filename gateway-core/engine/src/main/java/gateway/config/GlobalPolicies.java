package gateway.config;

import gateway.json.ConfigNode;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyLayer;
import gateway.service.DocumentId;
import java.util.List;
import java.util.Map;

/// The policies of every API that is not exempt: `{"before": […], "after": […]}`. As with [PolicySet], one object
/// stands for one text and for all sets that it uses.
///
/// @param source the stored text; empty when there is none
/// @param uses the sets named in it
/// @param references to secrets and resources in its text
/// @param cost beyond its text, without those of the sets
public record GlobalPolicies(
        String source,
        List<PolicyDefinition> before,
        List<PolicyDefinition> after,
        List<PolicySet> uses,
        References references,
        long cost) {
    /// There are none.
    public static final GlobalPolicies NONE =
            new GlobalPolicies("", List.of(), List.of(), List.of(), References.NONE, 0);

    public GlobalPolicies {
        before = List.copyOf(before);
        after = List.copyOf(after);
        uses = List.copyOf(uses);
    }

    static GlobalPolicies read(PolicyRegistry registry, UsedSets used, String source, ConfigNode node) {
        Map<PolicyLayer, List<PolicyDefinition>> layers = readFields(registry, used, node);
        node.throwIfInvalid();
        return new GlobalPolicies(
                source,
                seenFromApis(layers.getOrDefault(PolicyLayer.GLOBAL_BEFORE, List.of())),
                seenFromApis(layers.getOrDefault(PolicyLayer.GLOBAL_AFTER, List.of())),
                used.found(),
                References.of(node),
                node.cost());
    }

    static Map<PolicyLayer, List<PolicyDefinition>> readFields(
            PolicyRegistry registry, PolicySets sets, ConfigNode node) {
        node.requireObject();
        node.field("$schema", "of this file, for editors").optionalText();
        ConfigNode id = node.field("id", "`global`").only(List.of("global"));
        if (!id.text("global").equals("global")) id.problem("expected \"global\"");
        var layers = PoliciesReader.readGlobal(registry, sets, node);
        node.refuseUnknownFields();
        return layers;
    }

    /// With pointers that name this document first: they do not lie in the text of the API that carries them.
    private static List<PolicyDefinition> seenFromApis(List<PolicyDefinition> policies) {
        return policies.stream()
                .map(policy -> policy.at(DocumentId.GLOBAL.pointer() + policy.pointer()))
                .toList();
    }

    /// Those of an API with these around them.
    List<PolicyDefinition> around(List<PolicyDefinition> policies) {
        if (before.isEmpty() && after.isEmpty()) return policies;
        return PolicyLists.joined(List.of(before, policies, after));
    }
}
