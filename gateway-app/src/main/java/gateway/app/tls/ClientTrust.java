package gateway.app.tls;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/// Which client certificates are let in: those of the given authorities, in force, for clients, and not revoked.
final class ClientTrust extends EngineTrust {
    private final Revocations revocations;

    private ClientTrust(X509ExtendedTrustManager paths, Revocations revocations) {
        super(paths);
        this.revocations = revocations;
    }

    static ClientTrust of(List<X509Certificate> authorities, Revocations revocations) {
        return new ClientTrust(paths(authorities), revocations);
    }

    /// Whether a chain that was trusted once is in force still; an empty one is nobody's.
    boolean admits(X509Certificate[] chain, Instant now) {
        if (chain.length == 0) return true;
        try {
            chain[0].checkValidity(Date.from(now));
            revocations.check(chain);
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    /// What checks the path from a certificate to one of `authorities` (RFC 5280 §6).
    static X509ExtendedTrustManager paths(List<X509Certificate> authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(Certificates.asStore(authorities));
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        paths.checkClientTrusted(chain, authType, engine);
        revocations.check(chain);
    }
}
