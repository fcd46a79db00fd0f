package gateway.wire.tls;

import io.netty.handler.ssl.OpenSslCertificateException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;

/// Trusts whom [ClientTrust] trusts, and says why not by the numbers of OpenSSL (`x509_vfy.h`). Of these BoringSSL
/// makes the alert for the client (RFC 8446 §6.2); without one it would tell of an internal error.
final class NativeTrust extends EngineTrust {
    private static final int NOT_YET_VALID = 9; // bad_certificate
    private static final int HAS_EXPIRED = 10; // certificate_expired
    private static final int LIST_HAS_EXPIRED = 12; // certificate_expired
    private static final int NO_ISSUER = 20; // unknown_ca
    private static final int REVOKED = 23; // certificate_revoked
    private static final int REJECTED = 28; // bad_certificate

    private final ClientTrust trust;

    NativeTrust(ClientTrust trust) {
        super(trust.paths);
        this.trust = trust;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            trust.checkClientTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            throw new OpenSslCertificateException(e.getMessage(), e, number(e));
        }
    }

    private static int number(CertificateException refusal) {
        for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case CertPathValidatorException broken -> {
                    return number(broken.getReason());
                }
                case CertPathBuilderException _ -> {
                    return NO_ISSUER;
                }
                default -> {}
            }
        }
        return REJECTED;
    }

    private static int number(CertPathValidatorException.Reason reason) {
        return switch (reason) {
            case BasicReason.NOT_YET_VALID -> NOT_YET_VALID;
            case BasicReason.EXPIRED -> HAS_EXPIRED;
            case BasicReason.UNDETERMINED_REVOCATION_STATUS -> LIST_HAS_EXPIRED;
            case BasicReason.REVOKED -> REVOKED;
            case PKIXReason.NO_TRUST_ANCHOR -> NO_ISSUER;
            default -> REJECTED;
        };
    }
}
