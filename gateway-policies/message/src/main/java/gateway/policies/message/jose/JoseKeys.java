package gateway.policies.message.jose;

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
import gateway.policies.cryptography.KeyKind;
import gateway.policies.cryptography.PemReader;
import gateway.policies.cryptography.PublicKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads keys of the gateway's own out of secrets, and those of others out of what they publish. Keys that are weak,
/// for another purpose or of a kind that nobody knows are passed over.
final class JoseKeys {
    private static final int MOST = 100;
    private static final int FEWEST_RSA_BITS = 2_048;
    private static final int MOST_RSA_BITS = 8_192;

    /// What stands before the 32 octets of an Ed25519 private key in PKCS #8 (RFC 8410 §7).
    private static final String ED25519 = "302e020100300506032b657004220420";

    private static final Set<KeyOperation> TO_AGREE = Set.of(KeyOperation.DERIVE_KEY, KeyOperation.DERIVE_BITS);
    private static final Set<KeyOperation> TO_ENCRYPT =
            Set.of(KeyOperation.DECRYPT, KeyOperation.UNWRAP_KEY, KeyOperation.ENCRYPT, KeyOperation.WRAP_KEY);

    private JoseKeys() {}

    /// Our own: a JWK, a set of them, a private key in PEM (PKCS #8), or else a secret, which is the text itself.
    ///
    /// @param use what they are for
    static List<JoseKey> ofSecret(String text, KeyUse use) {
        String plain = text.strip();
        if (plain.startsWith("{")) return ofJson(plain, use);
        if (!plain.startsWith("-----BEGIN ")) return List.of(secret(text.getBytes(StandardCharsets.UTF_8)));
        return PemReader.privateKey(plain).flatMap(key -> ofPrivate("", "", key)).stream()
                .toList();
    }

    private static JoseKey secret(byte[] bytes) {
        return new JoseKey("", "", KeyKind.SECRET, new SecretKeySpec(bytes, "AES"));
    }

    private static List<JoseKey> ofJson(String text, KeyUse use) {
        try {
            JsonNode json = Json.parseBounded(text);
            List<JsonNode> all = json.path("keys").isArray()
                    ? json.get("keys").values().stream().toList()
                    : List.of(json);
            var found = new ArrayList<JoseKey>();
            for (JsonNode each : all.subList(0, Math.min(MOST, all.size())))
                own(each, use).ifPresent(found::add);
            return found;
        } catch (InvalidConfigException e) {
            return List.of(); // whose message would tell of the secret
        }
    }

    private static Optional<JoseKey> own(JsonNode json, KeyUse use) {
        try {
            JWK key = JWK.parse(Json.compact(json));
            if (isOther(key, use)) return Optional.empty();
            return switch (key) {
                case OctetSequenceKey octets ->
                    Optional.of(new JoseKey(
                            id(key), algorithm(key), KeyKind.SECRET, new SecretKeySpec(octets.toByteArray(), "AES")));
                case RSAKey rsa -> ofPrivate(id(key), algorithm(key), rsa.toPrivateKey());
                case ECKey ec -> ofPrivate(id(key), algorithm(key), ec.toPrivateKey());
                case OctetKeyPair pair -> ed25519(pair);
                default -> Optional.empty();
            };
        } catch (ParseException | JOSEException | GeneralSecurityException | RuntimeException e) {
            return Optional.empty(); // of another kind, or broken
        }
    }

    private static Optional<JoseKey> ed25519(OctetKeyPair pair) throws GeneralSecurityException {
        if (!pair.getCurve().getName().equals("Ed25519") || pair.getD() == null) return Optional.empty();
        byte[] encoded = HexFormat.of()
                .parseHex(ED25519 + HexFormat.of().formatHex(pair.getD().decode()));
        PrivateKey key = KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        return ofPrivate(id(pair), algorithm(pair), key);
    }

    private static Optional<JoseKey> ofPrivate(String id, String algorithm, @Nullable Key key) {
        Optional<KeyKind> kind = switch (key) {
            case null -> Optional.empty(); // a public one
            case RSAPrivateKey rsa when isStrong(rsa.getModulus().bitLength()) -> Optional.of(KeyKind.RSA);
            case ECPrivateKey ec -> OpeningKey.curve(ec.getParams()).flatMap(OpeningKey::kind);
            case EdECPrivateKey _ -> Optional.of(KeyKind.ED25519);
            default -> Optional.empty();
        };
        return kind.isEmpty() || key == null
                ? Optional.empty()
                : Optional.of(new JoseKey(id, algorithm, kind.get(), key));
    }

    private static boolean isStrong(int bits) {
        return bits >= FEWEST_RSA_BITS && bits <= MOST_RSA_BITS;
    }

    /// Those of a set that messages can be encrypted for.
    ///
    /// @throws InvalidConfigException when it is no key set, or tells secrets
    static List<JoseKey> ofRecipients(JsonNode set) {
        JsonNode keys = set.path("keys");
        if (!keys.isArray() || keys.size() > MOST) {
            throw new InvalidConfigException("", "expected a key set, an object with at most " + MOST + " \"keys\"");
        }
        var found = new ArrayList<JoseKey>();
        for (JsonNode each : keys) {
            if (each.has("d") || each.has("k")) throw new InvalidConfigException("", "expected public keys only");
            recipient(each).ifPresent(found::add);
        }
        return found;
    }

    private static Optional<JoseKey> recipient(JsonNode json) {
        try {
            JWK key = JWK.parse(Json.compact(json));
            if (isOther(key, KeyUse.ENCRYPTION)) return Optional.empty();
            return switch (key) {
                case RSAKey rsa -> ofPublic(id(key), algorithm(key), rsa.toPublicKey());
                case ECKey ec -> ofPublic(id(key), algorithm(key), ec.toPublicKey());
                default -> Optional.empty();
            };
        } catch (ParseException | JOSEException | RuntimeException e) {
            return Optional.empty(); // of another kind, or broken
        }
    }

    /// The public key, or that of the certificate, in `pem`.
    static Optional<JoseKey> ofPem(String pem) {
        return PemReader.key(pem).flatMap(key -> ofPublic("", "", key));
    }

    private static Optional<JoseKey> ofPublic(String id, String algorithm, PublicKey key) {
        return PublicKeys.of(key, id, algorithm).map(strong -> new JoseKey(id, algorithm, strong.kind(), key));
    }

    /// Whether `use` or `key_ops` say that it is for something else. An empty list says nothing: browsers write it for
    /// public keys that others agree with.
    private static boolean isOther(JWK key, KeyUse use) {
        if (key.getKeyUse() != null && !key.getKeyUse().equals(use)) return true;
        Set<KeyOperation> named = key.getKeyOperations();
        if (named == null || named.isEmpty()) return false;
        if (use.equals(KeyUse.SIGNATURE)) return !named.contains(KeyOperation.SIGN);
        return Collections.disjoint(named, key instanceof ECKey ? TO_AGREE : TO_ENCRYPT);
    }

    private static String id(JWK key) {
        return key.getKeyID() == null ? "" : key.getKeyID();
    }

    private static String algorithm(JWK key) {
        return key.getAlgorithm() == null ? "" : key.getAlgorithm().getName();
    }
}
