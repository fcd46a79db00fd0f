package gateway.config;

import gateway.json.ConfigNode;
import gateway.service.SecretReference;
import gateway.service.SecretReference.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Reads where a policy finds a secret. The value itself may not stand in a definition, which is kept and shown in the
/// clear: what stands there instead is refused without being repeated.
public final class SecretReader {
    private static final String EXPECTED =
            "expected {\"secret\": \"name\"}, {\"env\": \"GATEWAY_SECRET_…\"} or {\"file\": \"name\"}";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern VARIABLE = Pattern.compile("GATEWAY_SECRET_[A-Z0-9_]{1,100}");
    private static final Pattern FILE =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}(/[A-Za-z0-9_][A-Za-z0-9._-]{0,127}){0,7}");

    private SecretReader() {}

    /// Whether it can be had is asked when the policy is compiled, see [gateway.policy.Services#secret].
    public static SecretReference read(ConfigNode node) {
        node.named("SecretReference", SecretReader::read);
        var found = new ArrayList<SecretReference>();
        if (isObject(node)) {
            named(
                    node.field("secret", "id of a stored secret"),
                    Origin.SECRET,
                    ID,
                    "1 to 64 letters, digits, '.', '_' or '-'",
                    found);
            named(
                    node.field("env", "variable of the gateway's environment"),
                    Origin.ENV,
                    VARIABLE,
                    "a variable called GATEWAY_SECRET_…",
                    found);
            named(
                    node.field("file", "below the secrets folder"),
                    Origin.FILE,
                    FILE,
                    "a file below the secrets folder",
                    found);
            node.refuseUnknownFields();
        }
        if (found.size() != 1) node.problem(EXPECTED);
        return found.isEmpty() ? new SecretReference(Origin.SECRET, "") : found.getFirst();
    }

    private static boolean isObject(ConfigNode node) {
        return node.json().filter(json -> json.isObject()).isPresent();
    }

    private static void named(
            ConfigNode field, Origin origin, Pattern pattern, String expected, List<SecretReference> found) {
        if (!field.like(pattern).isPresent()) return;
        String name = field.json().filter(json -> json.isString()).isPresent() ? field.text() : "";
        if (!pattern.matcher(name).matches()) field.problem("expected " + expected);
        found.add(new SecretReference(origin, name));
    }
}
