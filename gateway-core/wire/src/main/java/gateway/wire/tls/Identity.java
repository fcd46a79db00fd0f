package gateway.wire.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// A certificate with what leads to its authority, and the key that belongs to it.
///
/// @param source where it was read from
/// @param chain the certificate itself first
public record Identity(Path source, List<X509Certificate> chain, PrivateKey key) {
    private static final int DNS_NAME = 2;
    private static final int LEAST_RSA_BITS = 2048;

    public Identity {
        chain = List.copyOf(chain);
    }

    /// @throws TlsFileException when the parts do not belong together or are too weak for use
    static Identity of(Path source, List<X509Certificate> chain, PrivateKey key) {
        if (chain.isEmpty()) throw new TlsFileException(source + ": holds no certificate");
        var identity = new Identity(source, chain, key);
        if (key instanceof RSAKey rsa && rsa.getModulus().bitLength() < LEAST_RSA_BITS) {
            throw new TlsFileException(source + ": the RSA key has fewer than " + LEAST_RSA_BITS + " bits");
        }
        if (!identity.keyMatches())
            throw new TlsFileException(source + ": the key is not that of the first certificate");
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1).getIssuerX500Principal().equals(chain.get(i).getSubjectX500Principal())) {
                throw new TlsFileException(
                        source + ": certificate " + (i + 1) + " is not the issuer of certificate " + i);
            }
        }
        return identity;
    }

    X509Certificate certificate() {
        return chain.getFirst();
    }

    /// `RSA`, `EC` or `EdDSA`, as JSSE asks for keys.
    String keyType() {
        return certificate().getPublicKey().getAlgorithm();
    }

    /// When the first certificate of the chain expires.
    public Instant expires() {
        return chain.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /// The DNS names it stands for, lower case, `*.` in front of a wildcard's.
    public List<String> names() {
        var names = new ArrayList<String>();
        try {
            Collection<List<?>> alternatives = certificate().getSubjectAlternativeNames();
            if (alternatives == null) return List.of();
            for (List<?> each : alternatives) {
                if (each.getFirst().equals(DNS_NAME))
                    names.add(each.get(1).toString().toLowerCase(Locale.ROOT));
            }
            return names;
        } catch (CertificateParsingException e) {
            throw new TlsFileException(source + ": the certificate's alternative names are broken");
        }
    }

    /// The first DNS name; the subject of a certificate without any.
    String label() {
        List<String> names = names();
        return names.isEmpty() ? certificate().getSubjectX500Principal().getName() : names.getFirst();
    }

    private boolean keyMatches() {
        PublicKey open = certificate().getPublicKey();
        String algorithm = switch (open.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> open.getAlgorithm();
        };
        byte[] sample = source.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(sample);
            byte[] signed = signature.sign();
            signature.initVerify(open);
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /// Source and names; never the key.
    @Override
    public String toString() {
        return source + " " + names();
    }
}
