package gateway.config;

import gateway.json.ConfigNode;
import gateway.service.SecretReference;
import gateway.service.SecretReference.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Reads where a policy finds a secret. People may write the secret itself; who stores the definition puts an envelope
/// in its place first, at the places that are noted here ([ConfigNode#secrets]). Nothing that is read here holds or
/// repeats the text.
public final class SecretReader {
    /// The member of what stands in the place of a text that was sealed.
    public static final String SEALED = "sealed";

    /// The member of what stands in the place of one that could not be: it says why.
    public static final String BROKEN = "broken";

    /// The member of what is shown of either.
    public static final String MASKED = "masked";

    /// Most characters of a secret that a definition holds itself.
    public static final int MOST_CHARACTERS = 64 * 1024;

    private static final String EXPECTED =
            "expected the secret, {\"secret\": \"name\"}, {\"env\": \"GATEWAY_SECRET_…\"}" + " or {\"file\": \"name\"}";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern VARIABLE = Pattern.compile("GATEWAY_SECRET_[A-Z0-9_]{1,100}");
    private static final Pattern FILE =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}(/[A-Za-z0-9_][A-Za-z0-9._-]{0,127}){0,7}");
    private static final Pattern MASK = Pattern.compile("[0-9a-f]{8}");
    private static final Pattern ENVELOPE = Pattern.compile("[A-Za-z0-9._-]+");
    private static final SecretReference NONE = new SecretReference(Origin.SEALED, "");

    private SecretReader() {}

    /// Whether it can be had is asked when the policy is compiled, see [gateway.policy.Services#secret].
    public static SecretReference read(ConfigNode node) {
        node.named("SecretReference", SecretReader::read).extent(1, 1);
        node.noteSecret();
        Optional<JsonNode> json = node.json();
        if (json.filter(JsonNode::isString).isPresent()) return readText(node);
        Optional<String> flaw = json.map(found -> found.path(BROKEN)).flatMap(JsonNode::stringValueOpt);
        if (flaw.isPresent()) {
            node.problem(flaw.get());
            return NONE;
        }
        return readObject(node, json.filter(JsonNode::isObject).isPresent());
    }

    /// It is sealed before it is compiled, or cannot be.
    private static SecretReference readText(ConfigNode node) {
        int length = node.requiredText().length();
        node.extent(0, MOST_CHARACTERS);
        if (length > MOST_CHARACTERS) node.problem("expected at most " + MOST_CHARACTERS + " characters");
        return NONE;
    }

    private static SecretReference readObject(ConfigNode node, boolean isObject) {
        var found = new ArrayList<SecretReference>();
        if (isObject) {
            ConfigNode secret = node.field("secret", "id of a stored secret");
            named(secret, Origin.SECRET, ID, "1 to 64 letters, digits, '.', '_' or '-'", found);
            ConfigNode variable = node.field("env", "variable of the gateway's environment");
            named(variable, Origin.ENV, VARIABLE, "a variable called GATEWAY_SECRET_…", found);
            ConfigNode file = node.field("file", "below the secrets folder");
            named(file, Origin.FILE, FILE, "a file below the secrets folder", found);
            ConfigNode envelope = node.field(SEALED, "as the gateway keeps the secret in its own files");
            named(envelope, Origin.SEALED, ENVELOPE, "what the gateway has sealed", found);
            ConfigNode mask = node.field(MASKED, "as the gateway shows a secret: written back, it keeps it");
            if (mask.like(MASK).isPresent()) {
                mask.text();
                node.problem("expected the secret, or the mask that is shown of what is stored here");
                return NONE;
            }
            node.refuseUnknownFields();
        }
        if (found.size() != 1) node.problem(EXPECTED);
        return found.isEmpty() ? NONE : found.getFirst();
    }

    private static void named(
            ConfigNode field, Origin origin, Pattern pattern, String expected, List<SecretReference> found) {
        if (!field.like(pattern).isPresent()) return;
        String name = field.json().filter(JsonNode::isString).isPresent() ? field.text() : "";
        if (!pattern.matcher(name).matches()) field.problem("expected " + expected);
        found.add(
                origin == Origin.SEALED
                        ? new SecretReference(origin, name, field.document())
                        : new SecretReference(origin, name));
    }
}
