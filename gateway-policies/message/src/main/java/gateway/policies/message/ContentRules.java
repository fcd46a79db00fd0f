package gateway.policies.message;

import gateway.json.ConfigNode;
import java.util.List;
import java.util.Optional;

/// Which messages are checked, and what becomes of those that are not.
///
/// @param others empty: requests are refused, answers pass
/// @param required whether an empty body is refused
public record ContentRules(MessageScope scope, Optional<OtherTypes> others, boolean required) {
    /// @param usual media types, where the definition says none
    public static ContentRules read(ConfigNode node, List<String> usual) {
        return new ContentRules(
                MessageScope.read(node, usual),
                others(node.field(
                        "otherTypes", "`pass`: messages with content of other types are not looked at, `refuse`: 415")),
                node.field("required", "refuse messages without content").bool(false));
    }

    private static Optional<OtherTypes> others(ConfigNode node) {
        boolean said = node.unlessGiven("requests: `refuse`, answers: `pass`").isPresent();
        OtherTypes others = node.choice(OtherTypes.REFUSE);
        return said ? Optional.of(others) : Optional.empty();
    }

    public boolean refusesOthers(boolean answer) {
        return others.map(each -> each == OtherTypes.REFUSE).orElse(!answer);
    }
}
