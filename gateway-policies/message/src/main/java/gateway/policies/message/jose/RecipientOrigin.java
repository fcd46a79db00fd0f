package gateway.policies.message.jose;

import gateway.config.ResourceReader;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.json.JsonSchema;
import gateway.policies.cryptography.KeyKind;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.KeyOriginReader;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import java.util.Optional;
import java.util.stream.Stream;

/// Where the key of a recipient comes from.
sealed interface RecipientOrigin {
    /// A key set in the definition.
    record Inline(String jwks) implements RecipientOrigin {}

    /// A public key or certificate in the definition.
    record Pem(String text) implements RecipientOrigin {}

    /// A key set that is stored as a resource.
    record StoredSet(ResourceReference resource) implements RecipientOrigin {}

    /// A public key or certificate that is stored as a resource.
    record StoredPem(ResourceReference resource) implements RecipientOrigin {}

    /// A secret that the recipient has too.
    record Shared(SecretReference secret) implements RecipientOrigin {}

    /// A server that tells them.
    record Told(KeyOrigin.Server server) implements RecipientOrigin {}

    String SECRET_FOR_SHARED = """
            {"if": {"required": ["algorithm"], "properties": {"algorithm": {"pattern": "^(dir|A[0-9]{3}(GCM)?KW)$"}}},
             "then": SECRET, "else": {"not": SECRET}}""".replace("SECRET", JsonSchema.given("secret"));

    /// @param node holds the fields `jwks`, `keys`, `pem` and `secret`, of which one stands there
    static RecipientOrigin read(ConfigNode node, KeyManagement algorithm) {
        Optional<KeyOrigin.Server> server = KeyOriginReader.readServer(node);
        ConfigNode keys =
                node.field("keys", "the recipient's key set, public keys only").form("JWK Set (RFC 7517) or resource");
        ConfigNode pem =
                node.field("pem", "the recipient's public key or certificate").form("PEM text or resource");
        ConfigNode secret = node.field("secret", "that the recipient has too: a JWK, or as UTF-8");
        long given = Stream.of(node.field("jwks"), keys, pem, secret)
                .filter(ConfigNode::isPresent)
                .count();
        node.one("jwks", "keys", "pem", "secret").obeys(SECRET_FOR_SHARED);
        if (given != 1) node.problem("expected one of jwks, keys, pem and secret, got " + given);
        boolean shared = algorithm.takes(KeyKind.SECRET);
        if (given == 1 && shared != secret.isPresent()) {
            node.field("algorithm").problem("expected " + (shared ? "secret" : "jwks, keys or pem") + " with it");
        }
        Optional<SecretReference> reference =
                secret.isPresent() ? Optional.of(SecretReader.read(secret)) : Optional.empty();
        keys.alternative("set", KeyOriginReader::describeSet);
        keys.alternative("resource", ResourceReader::read);
        pem.alternative("text", ConfigNode::requiredText);
        pem.alternative("resource", ResourceReader::read);
        if (server.isPresent()) return new Told(server.get());
        if (keys.isPresent()) return ofKeys(keys);
        if (pem.isPresent()) return ofPem(pem);
        return reference.<RecipientOrigin>map(Shared::new).orElse(new Inline("{\"keys\": []}"));
    }

    private static RecipientOrigin ofKeys(ConfigNode field) {
        if (ResourceReader.isReference(field)) return new StoredSet(ResourceReader.read(field));
        if (!field.expectObject()) return new Inline("{\"keys\": []}");
        return new Inline(Json.compact(field.json().orElseThrow()));
    }

    private static RecipientOrigin ofPem(ConfigNode field) {
        return ResourceReader.isReference(field)
                ? new StoredPem(ResourceReader.read(field))
                : new Pem(field.requiredText());
    }
}
