package gateway.policies.script.run;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;

/// What scripts of every language may call. Flaws in arguments are [IllegalArgumentException], in words for whoever
/// writes scripts.
public final class ScriptFunctions {
    /// Used where a script names none.
    public static final String USUAL_DIGEST = "SHA-256";

    private static final List<String> DIGESTS = List.of(USUAL_DIGEST, "SHA-384", "SHA-512");
    private static final int MOST_OF_TOKEN = 64 * 1024;

    private ScriptFunctions() {}

    /// In hexadecimal digits.
    public static String hash(String text, String algorithm) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance(known(algorithm)).digest(utf8(text)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-2", e);
        }
    }

    /// In hexadecimal digits.
    public static String hmac(String key, String text, String algorithm) {
        if (key.isEmpty()) throw new IllegalArgumentException("hmac: expected a key");
        try {
            var mac = Mac.getInstance("Hmac" + known(algorithm).replace("-", ""));
            mac.init(new SecretKeySpec(utf8(key), mac.getAlgorithm()));
            return HexFormat.of().formatHex(mac.doFinal(utf8(text)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-2", e);
        }
    }

    /// Whether both are the same, in a time that tells nothing of where they differ.
    public static boolean same(String one, String other) {
        return MessageDigest.isEqual(utf8(one), utf8(other));
    }

    public static String encode(String text) {
        return Base64.getEncoder().encodeToString(utf8(text));
    }

    /// The text that was encoded; with the alphabet of URLs or the usual one, padded or not.
    public static String decode(String encoded) {
        try {
            return new String(bytes(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("base64.decode: expected base64", e);
        }
    }

    /// What a token says of itself, which nobody has verified; empty for what is no token.
    public static Optional<JsonNode> claims(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3 || token.length() > MOST_OF_TOKEN) return Optional.empty();
        try {
            JsonNode claims = Json.parse(bytes(parts[1]), _ -> {});
            return claims.isObject() ? Optional.of(claims) : Optional.empty();
        } catch (IllegalArgumentException | InvalidConfigException e) {
            return Optional.empty();
        }
    }

    private static String known(String algorithm) {
        if (DIGESTS.contains(algorithm)) return algorithm;
        throw new IllegalArgumentException("expected one of " + String.join(", ", DIGESTS));
    }

    private static byte[] bytes(String encoded) {
        return Base64.getDecoder().decode(encoded.replace('-', '+').replace('_', '/'));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
