package gateway.config;

import gateway.http.HeaderText;
import gateway.json.ConfigNode;

/// Request methods in definitions: tokens (RFC 9110 §9.1), written as they are sent, upper case for all registered
/// ones.
public final class MethodNames {
    private MethodNames() {}

    /// The method at `node`; anything else is noted as a problem.
    public static String read(ConfigNode node) {
        String method = node.requiredText();
        if (method.isEmpty()) return method;
        if (!HeaderText.isToken(method)
                || method.length() > 32
                || method.chars().anyMatch(Character::isLowerCase)) {
            node.problem("expected a method such as \"GET\", got \"" + method + "\"");
        }
        return method;
    }
}
