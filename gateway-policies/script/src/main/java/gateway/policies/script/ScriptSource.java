package gateway.policies.script;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.service.ResourceReference;
import java.util.Optional;

/// The text of a script, in its definition or stored apart.
///
/// @param inline empty where it is stored
record ScriptSource(String inline, Optional<ResourceReference> stored) {
    private static final int LONGEST = 64 * 1024;
    private static final String TOO_LONG = "expected at most " + LONGEST + " characters, got ";

    static ScriptSource read(ConfigNode node) {
        if (ResourceReader.isReference(node)) return new ScriptSource("", Optional.of(ResourceReader.read(node)));
        String text = node.requiredText();
        if (text.length() > LONGEST) node.problem(TOO_LONG + text.length());
        return new ScriptSource(text, Optional.empty());
    }

    /// @throws InvalidConfigException when it cannot be had, or is too long
    String text(Services services) {
        if (stored.isEmpty()) return inline;
        String text = services.resource(stored.get()).text();
        if (text.length() > LONGEST) throw new InvalidConfigException("", TOO_LONG + text.length());
        return text;
    }
}
