package gateway.policies.cryptography;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// By what assertions and parts of SOAP messages may be signed (RFC 9231 §2.3): RSA and ECDSA with SHA-256 or more.
public enum XmlSignatureAlgorithm {
    RSA_SHA256("rsa-sha256", true),
    RSA_SHA384("rsa-sha384", true),
    RSA_SHA512("rsa-sha512", true),
    ECDSA_SHA256("ecdsa-sha256", false),
    ECDSA_SHA384("ecdsa-sha384", false),
    ECDSA_SHA512("ecdsa-sha512", false);

    private static final String PREFIX = "http://www.w3.org/2001/04/xmldsig-more#";

    private static final Set<String> DIGESTS = Set.of(
            "http://www.w3.org/2001/04/xmlenc#sha256",
            "http://www.w3.org/2001/04/xmldsig-more#sha384",
            "http://www.w3.org/2001/04/xmlenc#sha512");

    private final String word;
    private final boolean rsa;

    XmlSignatureAlgorithm(String word, boolean rsa) {
        this.word = word;
        this.rsa = rsa;
    }

    /// As definitions call it.
    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(XmlSignatureAlgorithm::word).toList();
    }

    public static Optional<XmlSignatureAlgorithm> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    /// @param uri as signatures call it
    public static Optional<XmlSignatureAlgorithm> called(String uri) {
        return uri.startsWith(PREFIX) ? of(uri.substring(PREFIX.length())) : Optional.empty();
    }

    /// As signatures call it.
    public String uri() {
        return PREFIX + word;
    }

    /// @param uri as references call how their target is digested
    public static boolean isDigest(String uri) {
        return DIGESTS.contains(uri);
    }

    public boolean fits(KeyKind kind) {
        return switch (kind) {
            case RSA -> rsa;
            case P256, P384, P521 -> !rsa;
            case ED25519, SECRET -> false;
        };
    }
}
