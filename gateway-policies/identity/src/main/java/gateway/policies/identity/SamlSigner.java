package gateway.policies.identity;

import gateway.policies.cryptography.KeyKind;
import gateway.policies.cryptography.PublicKeys;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A certificate whose key may sign assertions. It is a way to write down a key: when it ends, and who has signed it,
/// is not asked (SAML V2.0 Metadata Interoperability Profile §2.6.1).
final class SamlSigner {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END CERTIFICATE-----");

    private final byte[] certificate;
    private final PublicKey key;
    private final KeyKind kind;

    private SamlSigner(byte[] certificate, PublicKey key, KeyKind kind) {
        this.certificate = certificate;
        this.key = key;
        this.kind = kind;
    }

    /// All certificates in a PEM text (RFC 7468); empty when one of them is none or has a key that may not sign:
    /// RSA of less than 2,048 bits, another curve.
    static Optional<List<SamlSigner>> readPem(String pem) {
        var found = new ArrayList<SamlSigner>();
        Matcher blocks = BLOCK.matcher(pem);
        while (blocks.find()) {
            Optional<SamlSigner> signer = readBase64(blocks.group(1));
            if (signer.isEmpty()) return Optional.empty();
            found.add(signer.get());
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(found);
    }

    /// Empty as above.
    static Optional<SamlSigner> readBase64(String text) {
        try {
            byte[] content = Base64.getMimeDecoder().decode(text);
            PublicKey key = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(content))
                    .getPublicKey();
            return PublicKeys.of(key, "", "").map(found -> new SamlSigner(content, key, found.kind()));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty(); // no certificate, no Base64
        }
    }

    PublicKey key() {
        return key;
    }

    KeyKind kind() {
        return kind;
    }

    /// @param certificates as a message shows them
    boolean isAmong(List<byte[]> certificates) {
        for (byte[] each : certificates) if (Arrays.equals(certificate, each)) return true;
        return false;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SamlSigner that && Arrays.equals(certificate, that.certificate);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(certificate);
    }

    @Override
    public String toString() {
        return "a certificate for " + kind;
    }
}
