package gateway.policies.cryptography;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Reads key sets (RFC 7517 §5). Keys that cannot be used are passed over: sets hold some for other purposes.
final class JwkReader {
    /// Of one issuer.
    static final int MOST_KEYS = 100;

    private JwkReader() {}

    /// @throws InvalidConfigException when it is no key set
    static KeySet read(JsonNode set) {
        JsonNode keys = keys(set);
        var usable = new ArrayList<VerificationKey>();
        for (JsonNode key : keys) readKey(key).ifPresent(usable::add);
        return new KeySet(usable, keys.size() - usable.size(), false);
    }

    /// The keys of a set, whatever they are.
    ///
    /// @throws InvalidConfigException when it is no key set
    static JsonNode keys(JsonNode set) {
        JsonNode keys = set.path("keys");
        if (!keys.isArray()) throw new InvalidConfigException("", "expected a key set, an object with \"keys\"");
        if (keys.size() > MOST_KEYS) {
            throw new InvalidConfigException("", "expected at most " + MOST_KEYS + " keys, got " + keys.size());
        }
        return keys;
    }

    /// Whether one of the keys could sign, or is a secret.
    static boolean holdsSecrets(JsonNode set) {
        for (JsonNode key : set.path("keys")) {
            if (key.has("d") || key.has("k")) return true;
        }
        return false;
    }

    /// Secrets that both sides have: those of a JWK or of a set of them, or else the text itself. A key in PEM is none:
    /// everybody knows the public ones.
    static List<byte[]> secrets(String text) {
        if (text.stripLeading().startsWith("-----BEGIN ")) return List.of();
        List<JsonNode> keys = text.stripLeading().startsWith("{") ? keys(text) : List.of();
        if (keys.isEmpty()) return List.of(text.getBytes(StandardCharsets.UTF_8));
        return keys.stream()
                .limit(MOST_KEYS)
                .flatMap(each -> octets(each).stream())
                .toList();
    }

    /// None where it is neither: a secret may be any text.
    private static List<JsonNode> keys(String text) {
        try {
            JsonNode json = Json.parseBounded(text);
            if (json.has("kty")) return List.of(json);
            return json.path("keys").values().stream().toList();
        } catch (InvalidConfigException e) {
            return List.of(); // whose message would tell of the secret
        }
    }

    private static Optional<byte[]> octets(JsonNode json) {
        try {
            return JWK.parse(Json.compact(json)) instanceof OctetSequenceKey key && isForSignatures(key)
                    ? Optional.of(key.toByteArray())
                    : Optional.empty();
        } catch (ParseException | RuntimeException e) {
            return Optional.empty(); // of another kind, or broken
        }
    }

    private static Optional<VerificationKey> readKey(JsonNode json) {
        if (!json.isObject()) return Optional.empty();
        try {
            JWK key = JWK.parse(Json.compact(json));
            return isForSignatures(key) ? read(key) : Optional.empty();
        } catch (ParseException | JOSEException | RuntimeException e) {
            return Optional.empty(); // of another kind, or broken
        }
    }

    private static boolean isForSignatures(JWK key) {
        if (key.getKeyUse() != null && !key.getKeyUse().equals(KeyUse.SIGNATURE)) return false;
        return key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY);
    }

    private static Optional<VerificationKey> read(JWK key) throws JOSEException {
        String id = key.getKeyID() == null ? "" : key.getKeyID();
        String algorithm = key.getAlgorithm() == null ? "" : key.getAlgorithm().getName();
        return switch (key) {
            case RSAKey rsa -> PublicKeys.of(rsa.toRSAPublicKey(), id, algorithm);
            case ECKey ec -> PublicKeys.of(ec.toECPublicKey(), id, algorithm);
            case OctetKeyPair pair -> read(pair, id, algorithm);
            default -> Optional.empty();
        };
    }

    private static Optional<VerificationKey> read(OctetKeyPair pair, String id, String algorithm) {
        if (!pair.getCurve().getName().equals("Ed25519")) return Optional.empty();
        return PublicKeys.ed25519(pair.getX().decode(), id, algorithm);
    }
}
