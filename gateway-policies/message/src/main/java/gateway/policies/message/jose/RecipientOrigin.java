package gateway.policies.message.jose;

import com.nimbusds.jose.jwk.KeyUse;
import gateway.config.ResourceReader;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.identity.KeyKind;
import gateway.policy.Dependency;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

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

    /// @param node holds the fields `keys`, `pem` and `secret`, of which one stands there
    static RecipientOrigin read(ConfigNode node, KeyManagement algorithm) {
        ConfigNode keys = node.field("keys", "the recipient's key set, public keys only")
                .form("JWK Set (RFC 7517) or resource");
        ConfigNode pem = node.field("pem", "the recipient's public key or certificate").form("PEM text or resource");
        ConfigNode secret = node.field("secret", "that the recipient has too: a JWK, or as UTF-8");
        long given = Stream.of(keys, pem, secret).filter(ConfigNode::isPresent).count();
        if (given != 1) node.problem("expected one of keys, pem and secret");
        boolean shared = algorithm.takes(KeyKind.SECRET);
        if (given == 1 && shared != secret.isPresent()) {
            node.field("algorithm").problem("expected " + (shared ? "secret" : "keys or pem") + " with it");
        }
        Optional<SecretReference> reference =
                secret.isPresent() ? Optional.of(SecretReader.read(secret)) : Optional.empty();
        keys.alternative("set", ConfigNode::requireObject);
        keys.alternative("resource", ResourceReader::read);
        pem.alternative("text", ConfigNode::requiredText);
        pem.alternative("resource", ResourceReader::read);
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

    default Optional<Dependency.Server> server() {
        return Optional.empty();
    }

    /// @throws InvalidConfigException when there is no key for the step's algorithm
    default Supplier<ClosingKey> compile(EncryptStep step, JosePlace place) {
        ClosingKey key = switch (this) {
            case Inline(String jwks) -> ofSet(Json.parse(jwks), step, place);
            case StoredSet(ResourceReference resource) ->
                ofSet(json(place.services().resource(resource).text(), place), step, place);
            case Pem(String text) -> ofPem(text, step, place);
            case StoredPem(ResourceReference resource) ->
                ofPem(place.services().resource(resource).text(), step, place);
            case Shared(SecretReference secret) ->
                fitting(JoseKeys.ofSecret(place.secret(secret).reveal(), KeyUse.ENCRYPTION), step, place, "secret");
        };
        return () -> key;
    }

    private static JsonNode json(String text, JosePlace place) {
        try {
            return Json.parseBounded(text);
        } catch (InvalidConfigException e) {
            throw place.invalid("keys", e.problems().getFirst().message());
        }
    }

    private static ClosingKey ofSet(JsonNode set, EncryptStep step, JosePlace place) {
        try {
            return fitting(JoseKeys.ofRecipients(set), step, place, "keys");
        } catch (InvalidConfigException e) {
            throw place.invalid("keys", e.problems().getFirst().message());
        }
    }

    private static ClosingKey ofPem(String text, EncryptStep step, JosePlace place) {
        return fitting(JoseKeys.ofPem(text).stream().toList(), step, place, "pem");
    }

    private static ClosingKey fitting(List<JoseKey> keys, EncryptStep step, JosePlace place, String field) {
        return ClosingKey.of(keys, step.algorithm(), step.encryption())
                .orElseThrow(() ->
                        place.invalid(field, "expected a key for " + step.algorithm().word()));
    }
}
