package gateway.policies.message.wss;

import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.KeyKind;
import gateway.policies.cryptography.PemReader;
import gateway.policies.cryptography.PublicKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/// A private key of the gateway's own, and the certificate that others know it by.
record SoapKey(PrivateKey key, X509Certificate certificate, KeyKind kind) {
    private static final byte[] TRIAL = "trial".getBytes(StandardCharsets.US_ASCII);

    /// @param pem a private key (PKCS #8) and its certificate, one beside the other
    /// @throws InvalidConfigException when they are not, without being told
    static SoapKey read(String pem) {
        PrivateKey key = PemReader.privateKey(pem)
                .orElseThrow(() -> new InvalidConfigException("", "expected a private key in PEM (PKCS #8)"));
        List<X509Certificate> certificates = SoapCertificates.inPem(pem);
        if (certificates.isEmpty()) {
            throw new InvalidConfigException(
                    "", "expected its certificate beside the private key, for RSA from 2,048 bits or a NIST curve");
        }
        X509Certificate certificate = certificates.getFirst();
        if (!belongTogether(key, certificate)) {
            throw new InvalidConfigException("", "expected the certificate of that private key");
        }
        return new SoapKey(
                Cryptography.ofProcess().ready(PrivateKey.class, key),
                certificate,
                PublicKeys.of(certificate.getPublicKey(), "", "").orElseThrow().kind());
    }

    private static boolean belongTogether(PrivateKey key, X509Certificate certificate) {
        String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
        try {
            Signature check = Signature.getInstance(algorithm);
            check.initSign(key);
            check.update(TRIAL);
            byte[] signed = check.sign();
            check.initVerify(certificate.getPublicKey());
            check.update(TRIAL);
            return check.verify(signed);
        } catch (GeneralSecurityException e) {
            return false; // of two kinds, or for another purpose
        }
    }

    @Override
    public String toString() {
        return "a key for " + kind;
    }
}
