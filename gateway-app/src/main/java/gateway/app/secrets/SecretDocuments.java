package gateway.app.secrets;

import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.SecretUnavailableException;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The three forms of a stored secret: `{"id", "value"}` as people write it, `{"id", "sealed"}` as it is kept, and
/// `{"id", "value": {"masked": "<8 hex>"}}` as it is shown.
public final class SecretDocuments {
    private static final int MASK_BYTES = 4;

    private final SealingKeys keys;

    public SecretDocuments(SealingKeys keys) {
        this.keys = keys;
    }

    SealingKeys keys() {
        return keys;
    }

    /// The secrets of API keys, under the same keys.
    public KeyCredentials credentials() {
        return new KeyCredentials(keys);
    }

    /// What to keep of what somebody wrote. A mask that was shown stands for the value behind it.
    ///
    /// @param before what is kept by this id now
    /// @throws InvalidConfigException with everything that is wrong; it never repeats a value
    public String sealed(String id, JsonNode written, Optional<String> before) {
        ConfigNode node = ConfigNode.of(written);
        if (!written.isObject()) node.problem("expected an object");
        if (!WrittenSecret.ID.matcher(id).matches()) {
            node.field("id").problem("expected 1 to 64 letters, digits, '.', '_' or '-', got \"" + id + "\"");
        }
        WrittenSecret secret = WrittenSecret.read(node);
        node.throwIfInvalid();
        ConfigNode value = node.field("value");
        String envelope = secret.text()
                .map(text -> sealedValue(id, text, value))
                .orElseGet(() -> unchanged(id, secret.mask(), value, before));
        node.throwIfInvalid();
        return kept(id, envelope);
    }

    /// A document found in a file, as it is kept: of a secret that is neither sealed nor can be, only what is wrong.
    public String found(DocumentId document, String text) {
        if (document.kind() != DocumentKind.SECRETS) return text;
        String id = document.id();
        JsonNode found = Json.parse(text);
        if (found.path("sealed").isString() && found.size() == 2) return text;
        try {
            return sealed(id, found, Optional.empty());
        } catch (InvalidConfigException e) {
            ObjectNode broken = Json.mapper().createObjectNode().put("id", id);
            return Json.pretty(broken.put("broken", String.valueOf(e.getMessage())));
        }
    }

    /// @throws SecretUnavailableException when it cannot be opened
    Secret open(String id, String kept) {
        JsonNode document = Json.parse(kept);
        if (document.path("broken").isString()) {
            throw new SecretUnavailableException(document.path("broken").stringValue());
        }
        return new Secret(keys.open(name(id), document.path("sealed").asString("")));
    }

    /// The same under the key that seals now; empty when that has sealed it already.
    ///
    /// @throws SecretUnavailableException when it cannot be opened
    public Optional<String> resealed(String id, String kept) {
        if (keys.isCurrent(envelope(kept))) return Optional.empty();
        return Optional.of(kept(id, keys.seal(name(id), open(id, kept).reveal())));
    }

    /// What may be shown: a mask that tells whether two of one secret are the same.
    public ObjectNode shown(String id, String kept) {
        ObjectNode shown = Json.mapper().createObjectNode().put("id", id);
        shown.putObject("value").put("masked", mask(envelope(kept)));
        return shown;
    }

    private String sealedValue(String id, Secret text, ConfigNode value) {
        try {
            return keys.seal(name(id), text.reveal());
        } catch (SecretUnavailableException e) {
            value.problem(e.getMessage() + "; set " + SecretSettingTable.SECRETS_KEY.variable());
            return "";
        }
    }

    private static String unchanged(String id, Optional<String> given, ConfigNode value, Optional<String> before) {
        String envelope = before.map(SecretDocuments::envelope).orElse("");
        if (!envelope.isEmpty() && given.equals(Optional.of(mask(envelope)))) return envelope;
        value.problem("expected the value, or the mask that is shown of \"" + id + "\"");
        return "";
    }

    private static String kept(String id, String envelope) {
        return Json.pretty(Json.mapper().createObjectNode().put("id", id).put("sealed", envelope));
    }

    private static String envelope(String kept) {
        return Json.parse(kept).path("sealed").asString("");
    }

    static String mask(String envelope) {
        byte[] digest = Sha256.of(envelope.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, MASK_BYTES);
    }

    private static String name(String id) {
        return new DocumentId(DocumentKind.SECRETS, id).toString();
    }
}
