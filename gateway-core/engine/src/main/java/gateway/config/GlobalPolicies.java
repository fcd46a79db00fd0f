package gateway.config;

import gateway.json.ConfigNode;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyLayer;
import java.util.List;
import java.util.Map;

/// The policies of every API that is not exempt: `{"before": […], "after": […]}`. As with [PolicySet], one object
/// stands for one text and for all sets that it uses.
///
/// @param source the stored text; empty when there is none
/// @param uses the sets named in it
/// @param cost beyond its text, without those of the sets
public record GlobalPolicies(
        String source, List<PolicyDefinition> before, List<PolicyDefinition> after, List<PolicySet> uses, long cost) {
    /// There are none.
    public static final GlobalPolicies NONE = new GlobalPolicies("", List.of(), List.of(), List.of(), 0);

    /// Where the problems of one stand that an API carries: they are not in its own text.
    private static final String PLACE = "/policies";

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

    private static List<PolicyDefinition> seenFromApis(List<PolicyDefinition> policies) {
        return policies.stream().map(policy -> policy.at(PLACE)).toList();
    }

    /// Those of an API with these around them.
    List<PolicyDefinition> around(List<PolicyDefinition> policies) {
        if (before.isEmpty() && after.isEmpty()) return policies;
        return PolicyLists.joined(List.of(before, policies, after));
    }
}
