package gateway.wire.tls;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;

/// The certificate revocation lists (RFC 5280 §5) of a file, each signed by one of the authorities that are trusted.
///
/// A list that has run out tells nothing any more: then no certificate of its issuer is let in, as OpenSSL has it.
final class Revocations {
    static final Revocations NONE = new Revocations(Map.of(), InstantSource.system());

    private final Map<X500Principal, X509CRL> byIssuer;
    private final InstantSource clock;

    private Revocations(Map<X500Principal, X509CRL> byIssuer, InstantSource clock) {
        this.byIssuer = byIssuer;
        this.clock = clock;
    }

    /// @param file lists in PEM, or one in DER
    /// @throws TlsFileException when a list is broken, of nobody who is trusted, or there is none
    static Revocations read(Path file, List<X509Certificate> authorities, InstantSource clock) {
        var byIssuer = new HashMap<X500Principal, X509CRL>();
        for (X509CRL list : lists(file)) {
            verify(file, list, authorities);
            byIssuer.put(list.getIssuerX500Principal(), list);
        }
        if (byIssuer.isEmpty()) throw new TlsFileException(file + ": holds no revocation list");
        return new Revocations(byIssuer, clock);
    }

    private static List<X509CRL> lists(Path file) {
        var found = new ArrayList<X509CRL>();
        for (Pem block : Pem.read(file)) {
            if (!block.label().equals("X509 CRL")) continue;
            try {
                found.add(parsed(block.content()));
            } catch (CRLException e) {
                throw block.wrong("the revocation list is broken");
            }
        }
        if (!found.isEmpty()) return found;
        try {
            return List.of(parsed(Pem.bytes(file)));
        } catch (CRLException e) {
            throw new TlsFileException(file + ": holds no revocation list");
        }
    }

    private static X509CRL parsed(byte[] der) throws CRLException {
        return (X509CRL) Certificates.factory().generateCRL(new ByteArrayInputStream(der));
    }

    private static void verify(Path file, X509CRL list, List<X509Certificate> authorities) {
        for (X509Certificate authority : authorities) {
            if (!authority.getSubjectX500Principal().equals(list.getIssuerX500Principal())) continue;
            try {
                list.verify(authority.getPublicKey());
                return;
            } catch (GeneralSecurityException e) {
                // another authority of the same name may have signed it
            }
        }
        throw new TlsFileException(
                file + ": the list of " + list.getIssuerX500Principal() + " is signed by no trusted authority");
    }

    /// Refuses a chain when one of its certificates is revoked, or may be.
    ///
    /// @throws CertificateException naming the certificate; its cause is a [CertPathValidatorException]
    void check(X509Certificate[] chain) throws CertificateException {
        if (byIssuer.isEmpty()) return;
        for (X509Certificate each : chain) {
            X509CRL list = byIssuer.get(each.getIssuerX500Principal());
            if (list == null) continue;
            if (list.isRevoked(each)) throw refusal("revoked: " + each.getSubjectX500Principal(), BasicReason.REVOKED);
            if (runOut(list)) {
                throw refusal(
                        "the revocation list of " + list.getIssuerX500Principal() + " ran out",
                        BasicReason.UNDETERMINED_REVOCATION_STATUS);
            }
        }
    }

    private static CertificateException refusal(String why, BasicReason reason) {
        return new CertificateException(why, new CertPathValidatorException(why, null, null, -1, reason));
    }

    private boolean runOut(X509CRL list) {
        Instant now = clock.instant();
        return list.getNextUpdate() != null && now.isAfter(list.getNextUpdate().toInstant());
    }
}
