package gateway.http;

import gateway.json.ConfigNode;
import java.util.regex.Pattern;

/// Request methods in definitions: tokens (RFC 9110 §9.1), written as they are sent, upper case for all registered
/// ones.
public final class MethodNames {
    private static final Pattern FORM = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Z-]{1,32}");

    private MethodNames() {}

    /// The method at `node`; anything else is noted as a problem.
    public static String read(ConfigNode node) {
        String method = node.like(FORM).requiredText();
        if (method.isEmpty()) return method;
        if (!FORM.matcher(method).matches()) node.problem("expected a method such as \"GET\", got \"" + method + "\"");
        return method;
    }
}
