package gateway.policies.message.wss;

import gateway.json.ConfigNode;
import gateway.policy.Services;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Whose signatures are taken.
///
/// @param issued whether `certificates` are those of authorities, and what counts is a certificate that one of them has
///     issued, rather than these very certificates
record SoapTrust(boolean issued, SoapCertificates certificates) {
    private static final int DIGITAL_SIGNATURE = 0;

    static SoapTrust read(ConfigNode node) {
        node.requireObject();
        ConfigNode certificates = node.field("certificates", "of those who may sign: this or `authorities`");
        ConfigNode authorities = node.field("authorities", "that have issued the certificates of those who may sign");
        node.one("certificates", "authorities");
        if (certificates.isPresent() == authorities.isPresent()) {
            node.problem("expected one of certificates and authorities");
        }
        certificates.form("PEM text or resource");
        boolean issued = authorities.isPresent();
        SoapCertificates own = SoapCertificates.read(issued ? authorities : certificates);
        node.refuseUnknownFields();
        return new SoapTrust(issued, own);
    }

    /// @throws gateway.json.InvalidConfigException when there are none
    Signers signers(Services services) {
        List<X509Certificate> all = certificates.all(services);
        return issued ? new Issued(all) : new Given(all);
    }

    /// Those who may have signed.
    sealed interface Signers {
        /// Whose key may have made a signature; none for one that nobody knows.
        List<X509Certificate> candidates(KeyHint hint, Instant now);
    }

    /// Certificates that are a way to write down a key: when they end, and who has issued them, is not asked.
    record Given(List<X509Certificate> certificates) implements Signers {
        Given {
            certificates = List.copyOf(certificates);
        }

        @Override
        public List<X509Certificate> candidates(KeyHint hint, Instant now) {
            return certificates.stream().filter(hint::fits).toList();
        }
    }

    /// What these have issued, as long as it is good (RFC 5280).
    record Issued(List<X509Certificate> authorities) implements Signers {
        Issued {
            authorities = List.copyOf(authorities);
        }

        @Override
        public List<X509Certificate> candidates(KeyHint hint, Instant now) {
            if (!(hint instanceof KeyHint.Shown(X509Certificate shown))) return List.of();
            return isGood(shown, now) ? List.of(shown) : List.of();
        }

        private boolean isGood(X509Certificate shown, Instant now) {
            boolean[] usage = shown.getKeyUsage();
            if (usage != null && !usage[DIGITAL_SIGNATURE]) return false;
            Set<TrustAnchor> anchors = new HashSet<>();
            for (X509Certificate each : authorities) anchors.add(new TrustAnchor(each, null));
            try {
                var parameters = new PKIXParameters(anchors);
                parameters.setRevocationEnabled(false); // nobody is asked for it
                parameters.setDate(Date.from(now));
                CertPathValidator.getInstance("PKIX")
                        .validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(shown)), parameters);
                return true;
            } catch (GeneralSecurityException e) {
                return false;
            }
        }
    }
}
