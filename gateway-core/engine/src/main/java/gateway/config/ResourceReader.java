package gateway.config;

import gateway.json.ConfigNode;
import gateway.service.ResourceReference;
import java.util.regex.Pattern;

/// Reads which stored resource a policy is made with. Whether there is such a one is asked when the policy
/// is compiled, see [gateway.policy.Services#resource].
public final class ResourceReader {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private ResourceReader() {}

    /// Whether a reference stands at `node`, rather than a content in its place.
    public static boolean isReference(ConfigNode node) {
        return node.json()
                .filter(json -> json.isObject() && json.has("resource") && json.size() == 1)
                .isPresent();
    }

    public static ResourceReference read(ConfigNode node) {
        node.named("ResourceReference", ResourceReader::read);
        node.requireObject();
        ConfigNode field = node.field("resource", "id of a stored resource").like(ID);
        String id = field.requiredText();
        if (!id.isEmpty() && !ID.matcher(id).matches()) {
            field.problem("expected 1 to 128 letters, digits, '.', '_' or '-', got \"" + id + "\"");
        }
        node.refuseUnknownFields();
        return new ResourceReference(id);
    }
}
