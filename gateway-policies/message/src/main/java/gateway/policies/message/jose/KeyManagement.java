package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyKind;
import gateway.policies.cryptography.KeyTransport;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// How the key of a message's content reaches its recipient (RFC 7518 §4.1). There is neither `RSA1_5`, whose padding
/// can be asked about, nor a password (PBES2), of which a sender chooses the work.
enum KeyManagement {
    RSA_OAEP_256("RSA-OAEP-256"),
    RSA_OAEP_384("RSA-OAEP-384"),
    RSA_OAEP_512("RSA-OAEP-512"),
    RSA_OAEP("RSA-OAEP"),
    ECDH_ES("ECDH-ES"),
    ECDH_ES_A128KW("ECDH-ES+A128KW"),
    ECDH_ES_A192KW("ECDH-ES+A192KW"),
    ECDH_ES_A256KW("ECDH-ES+A256KW"),
    A128KW("A128KW"),
    A192KW("A192KW"),
    A256KW("A256KW"),
    A128GCMKW("A128GCMKW"),
    A192GCMKW("A192GCMKW"),
    A256GCMKW("A256GCMKW"),
    DIR("dir");

    private static final Set<KeyKind> CURVES = EnumSet.of(KeyKind.P256, KeyKind.P384, KeyKind.P521);

    private static final int NO_SECRET = 0;

    private final String word;

    KeyManagement(String word) {
        this.word = word;
    }

    /// The one of a message's `alg`, letter by letter.
    static Optional<KeyManagement> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    /// Reads one that messages are opened by.
    static Optional<KeyManagement> read(ConfigNode node) {
        return read(node, Arrays.asList(values()));
    }

    /// Reads one that messages are closed by: none with a nonce under a key that lasts, since that is good for 2^32
    /// messages only, and nobody counts those of all nodes.
    static Optional<KeyManagement> readClosing(ConfigNode node) {
        return read(
                node,
                Arrays.stream(values()).filter(each -> !each.wrapsByNonce()).toList());
    }

    private static Optional<KeyManagement> read(ConfigNode node, List<KeyManagement> possible) {
        List<String> words = possible.stream().map(KeyManagement::word).toList();
        String word = node.only(words).requiredText();
        Optional<KeyManagement> found = of(word).filter(possible::contains);
        if (found.isEmpty() && !word.isEmpty()) {
            node.problem("expected one of " + String.join(", ", words) + ", got \"" + word + '"');
        }
        return found;
    }

    /// As a message's `alg` writes it.
    String word() {
        return word;
    }

    /// Whether a key of that kind is used with it.
    boolean takes(KeyKind kind) {
        return switch (this) {
            case RSA_OAEP, RSA_OAEP_256, RSA_OAEP_384, RSA_OAEP_512 -> kind == KeyKind.RSA;
            case ECDH_ES, ECDH_ES_A128KW, ECDH_ES_A192KW, ECDH_ES_A256KW -> CURVES.contains(kind);
            case A128KW, A192KW, A256KW, A128GCMKW, A192GCMKW, A256GCMKW, DIR -> kind == KeyKind.SECRET;
        };
    }

    /// How RSA carries the key of the content.
    ///
    /// @throws IllegalStateException where another kind of key does
    KeyTransport transport() {
        return switch (this) {
            case RSA_OAEP -> KeyTransport.OLD;
            case RSA_OAEP_256 -> KeyTransport.SHA256;
            case RSA_OAEP_384 -> KeyTransport.SHA384;
            case RSA_OAEP_512 -> KeyTransport.SHA512;
            default -> throw new IllegalStateException(word + " carries no key by RSA");
        };
    }

    /// Whether the key itself is for nothing else. One that is used as it is may say what it encrypts by.
    boolean isOf(JoseKey key) {
        return key.isFor(word)
                || (this == DIR && ContentEncryption.of(key.algorithm()).isPresent());
    }

    /// Bytes that a secret has for it.
    int secretBytes(ContentEncryption encryption) {
        return switch (this) {
            case A128KW, A128GCMKW -> 16;
            case A192KW, A192GCMKW -> 24;
            case A256KW, A256GCMKW -> 32;
            case DIR -> encryption.keyBytes();
            case RSA_OAEP, RSA_OAEP_256, RSA_OAEP_384, RSA_OAEP_512 -> NO_SECRET;
            case ECDH_ES, ECDH_ES_A128KW, ECDH_ES_A192KW, ECDH_ES_A256KW -> NO_SECRET;
        };
    }

    /// Whether the key of the content stands in the message, rather than being agreed upon or had already.
    boolean carriesKey() {
        return this != DIR && this != ECDH_ES;
    }

    private boolean wrapsByNonce() {
        return this == A128GCMKW || this == A192GCMKW || this == A256GCMKW;
    }
}
