package gateway.wire.tls;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;

/// Which client certificates are let in: those of the given authorities, in force, for clients, and not revoked.
final class ClientTrust extends EngineTrust {
    private final Set<X500Principal> authorities;
    private final Revocations revocations;

    private ClientTrust(X509ExtendedTrustManager paths, Set<X500Principal> authorities, Revocations revocations) {
        super(paths);
        this.authorities = authorities;
        this.revocations = revocations;
    }

    static ClientTrust of(List<X509Certificate> authorities, Revocations revocations) {
        Set<X500Principal> names = authorities.stream()
                .map(X509Certificate::getSubjectX500Principal)
                .collect(Collectors.toUnmodifiableSet());
        return new ClientTrust(paths(authorities), names, revocations);
    }

    /// Whether a chain that was trusted once is in force still; an empty one is nobody's.
    boolean admits(X509Certificate[] chain, Instant now) {
        if (chain.length == 0) return true;
        try {
            revocations.check(chain);
            return leadsToAuthority(chain, now);
        } catch (CertificateException e) {
            return false;
        }
    }

    /// Whether all certificates from the first to the one of an authority are in force. Which signed which was
    /// looked at when the chain was trusted; what else the client has sent along does not count.
    private boolean leadsToAuthority(X509Certificate[] chain, Instant now) {
        Optional<X509Certificate> next = Optional.of(chain[0]).filter(own -> inForce(own, now));
        for (int step = 0; step < chain.length && next.isPresent(); step++) { // names may go round in circles
            X509Certificate each = next.get();
            X500Principal issuer = each.getIssuerX500Principal();
            if (authorities.contains(issuer) || authorities.contains(each.getSubjectX500Principal())) return true;
            next = Arrays.stream(chain)
                    .filter(other -> other.getSubjectX500Principal().equals(issuer) && inForce(other, now))
                    .findFirst();
        }
        return false;
    }

    private static boolean inForce(X509Certificate certificate, Instant now) {
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
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
