package gateway.wire.tls;

import gateway.http.FailureReason;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Which servers are trusted: those that authorities stand for under the name asked, and, where keys are pinned, with
/// one of these keys.
final class ServerTrust extends EngineTrust {
    private final Set<String> pins;

    /// @param pins SHA-256 of public keys; empty: any key
    ServerTrust(X509ExtendedTrustManager paths, Set<String> pins) {
        super(paths);
        this.pins = pins;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            paths.checkServerTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            throw distrust(chain, authType, e);
        }
        checkPins(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        try {
            paths.checkServerTrusted(chain, authType, socket);
        } catch (CertificateException e) {
            throw distrust(chain, authType, e);
        }
        checkPins(chain);
    }

    /// One that would be trusted if nobody asked for a name has the wrong one.
    private ServerDistrust distrust(X509Certificate[] chain, String authType, CertificateException why) {
        try {
            paths.checkServerTrusted(chain, authType);
            return new ServerDistrust(FailureReason.TLS_NAME, why);
        } catch (CertificateException e) {
            return new ServerDistrust(FailureReason.TLS_CERTIFICATE, why);
        }
    }

    private void checkPins(X509Certificate[] chain) throws CertificateException {
        if (pins.isEmpty()
                || pins.contains(Fingerprint.sha256(chain[0].getPublicKey().getEncoded()))) return;
        throw new ServerDistrust(FailureReason.TLS_PIN, "the server's key is none of the pinned ones");
    }
}
