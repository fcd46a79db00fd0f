package gateway.policies.cryptography;

import java.security.PublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// An algorithm that messages are signed by. A key is used with one, which its definition names, never the message.
public enum MessageAlgorithm {
    HMAC_SHA1("hmac-sha1", "HmacSHA1", KeyKind.SECRET, "hmac-sha1"),
    HMAC_SHA256("hmac-sha256", "HmacSHA256", KeyKind.SECRET, "hmac-sha256"),
    HMAC_SHA384("hmac-sha384", "HmacSHA384", KeyKind.SECRET, "hmac-sha384"),
    HMAC_SHA512("hmac-sha512", "HmacSHA512", KeyKind.SECRET, "hmac-sha512"),
    RSA_PSS_SHA512("rsa-pss-sha512", "RSASSA-PSS", KeyKind.RSA, ""),
    RSA_V1_5_SHA256("rsa-v1_5-sha256", "SHA256withRSA", KeyKind.RSA, "rsa-sha256"),
    ECDSA_P256_SHA256("ecdsa-p256-sha256", "SHA256withECDSAinP1363Format", KeyKind.P256, ""),
    ECDSA_P384_SHA384("ecdsa-p384-sha384", "SHA384withECDSAinP1363Format", KeyKind.P384, ""),
    ED25519("ed25519", "Ed25519", KeyKind.ED25519, "ed25519");

    private final String word;
    private final String javaName;
    private final KeyKind kind;
    private final String draftWord; // empty text: the draft has none

    MessageAlgorithm(String word, String javaName, KeyKind kind, String draftWord) {
        this.word = word;
        this.javaName = javaName;
        this.kind = kind;
        this.draftWord = draftWord;
    }

    public static Optional<MessageAlgorithm> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(MessageAlgorithm::word).toList();
    }

    /// As definitions write it, and messages after RFC 9421.
    public String word() {
        return word;
    }

    /// Its name in Java's cryptography.
    public String javaName() {
        return javaName;
    }

    /// The only keys it is used with.
    KeyKind kind() {
        return kind;
    }

    /// The public key, or that of the certificate, in `pem`; empty when there is no strong one for this algorithm.
    public Optional<PublicKey> publicKey(String pem) {
        return PemReader.read(pem).filter(key -> key.kind() == kind).flatMap(_ -> PemReader.key(pem));
    }

    /// Whether its keys are secrets that both have.
    public boolean isShared() {
        return kind == KeyKind.SECRET;
    }

    public boolean isOf(SignatureProfile profile) {
        return switch (profile) {
            case RFC9421 -> this != HMAC_SHA1 && this != HMAC_SHA384;
            case DRAFT -> !draftWord.isEmpty();
        };
    }

    /// Whether it is the same as that one of JOSE.
    public boolean is(SigningAlgorithm other) {
        return switch (this) {
            case HMAC_SHA1 -> false;
            case HMAC_SHA256 -> other == SigningAlgorithm.HS256;
            case HMAC_SHA384 -> other == SigningAlgorithm.HS384;
            case HMAC_SHA512 -> other == SigningAlgorithm.HS512;
            case RSA_PSS_SHA512 -> other == SigningAlgorithm.PS512;
            case RSA_V1_5_SHA256 -> other == SigningAlgorithm.RS256;
            case ECDSA_P256_SHA256 -> other == SigningAlgorithm.ES256;
            case ECDSA_P384_SHA384 -> other == SigningAlgorithm.ES384;
            case ED25519 -> other == SigningAlgorithm.EDDSA || other == SigningAlgorithm.ED25519;
        };
    }

    /// Whether a message may call it so. The draft's `hs2019` leaves it to the key.
    public boolean isCalled(String name, SignatureProfile profile) {
        return switch (profile) {
            case RFC9421 -> name.equals(word);
            case DRAFT -> name.equals("hs2019") || draftWord.equals(name);
        };
    }
}
