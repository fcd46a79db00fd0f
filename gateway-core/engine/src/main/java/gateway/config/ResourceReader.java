package gateway.config;

import gateway.json.ConfigNode;
import gateway.service.DocumentId;
import gateway.service.ResourceReference;

/// Reads which stored resource a policy is made with. Whether there is such a one is asked when the policy
/// is compiled, see [gateway.policy.Services#resource].
public final class ResourceReader {
    private ResourceReader() {}

    /// Whether a reference stands at `node`, rather than a content in its place.
    public static boolean isReference(ConfigNode node) {
        return node.json()
                .filter(json -> json.isObject() && json.has("resource") && json.size() == 1)
                .isPresent();
    }

    public static ResourceReference read(ConfigNode node) {
        node.named("ResourceReference", ResourceReader::read);
        node.noteResource();
        node.requireObject();
        ConfigNode field = node.field("resource", "id of a stored resource").like(DocumentId.FORM);
        String id = field.requiredText();
        if (!id.isEmpty() && !DocumentId.FORM.matcher(id).matches()) {
            field.problem("expected 1 to 128 letters, digits, '.', '_' or '-', got \"" + id + "\"");
        }
        node.refuseUnknownFields();
        return new ResourceReference(id);
    }
}
