package gateway.policies.cryptography;

import gateway.json.ConfigNode;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// An algorithm of signatures (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864). There is no `none`.
public enum SigningAlgorithm {
    RS256(KeyKind.RSA, 0),
    RS384(KeyKind.RSA, 0),
    RS512(KeyKind.RSA, 0),
    PS256(KeyKind.RSA, 0),
    PS384(KeyKind.RSA, 0),
    PS512(KeyKind.RSA, 0),
    ES256(KeyKind.P256, 0),
    ES384(KeyKind.P384, 0),
    ES512(KeyKind.P521, 0),
    EDDSA("EdDSA", KeyKind.ED25519),
    ED25519("Ed25519", KeyKind.ED25519),
    HS256(KeyKind.SECRET, 32),
    HS384(KeyKind.SECRET, 48),
    HS512(KeyKind.SECRET, 64);

    private static final Map<String, SigningAlgorithm> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(SigningAlgorithm::word, each -> each));

    private final String word;
    private final KeyKind kind;
    private final int secretBytes;

    SigningAlgorithm(KeyKind kind, int secretBytes) {
        this.word = name();
        this.kind = kind;
        this.secretBytes = secretBytes;
    }

    SigningAlgorithm(String word, KeyKind kind) {
        this.word = word;
        this.kind = kind;
        this.secretBytes = 0;
    }

    /// The one of a token's `alg`, letter by letter.
    public static Optional<SigningAlgorithm> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
    }

    /// Reads a field with at least one of them.
    public static Set<SigningAlgorithm> readAll(ConfigNode field) {
        Set<SigningAlgorithm> found = EnumSet.noneOf(SigningAlgorithm.class);
        field.extent(1, Integer.MAX_VALUE);
        for (Optional<SigningAlgorithm> each : field.list(SigningAlgorithm::read)) each.ifPresent(found::add);
        boolean none =
                field.json().filter(json -> json.isArray() && json.isEmpty()).isPresent();
        if (none || !field.isPresent()) field.problem("expected at least one algorithm, got none");
        return found;
    }

    /// Empty where a problem is noted.
    public static Optional<SigningAlgorithm> read(ConfigNode node) {
        String word = node.only(words()).requiredText();
        Optional<SigningAlgorithm> found = of(word);
        if (found.isEmpty() && !word.isEmpty()) {
            node.problem("expected one of " + String.join(", ", words()) + ", got \"" + word + '"');
        }
        return found;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(SigningAlgorithm::word).toList();
    }

    /// As a token's `alg` writes it.
    public String word() {
        return word;
    }

    /// The only keys it is used with.
    public KeyKind kind() {
        return kind;
    }

    public boolean isShared() {
        return kind == KeyKind.SECRET;
    }

    /// Least bytes of a secret (RFC 7518 §3.2).
    public int secretBytes() {
        return secretBytes;
    }
}
