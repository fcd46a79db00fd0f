package gateway.wire.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Trusts nobody but whom a subclass lets in, and only by an engine or a socket that knows the
/// name which was asked for.
abstract class EngineTrust extends X509ExtendedTrustManager {
    /// Checks the path from a certificate to an authority (RFC 5280 §6).
    final X509ExtendedTrustManager paths;

    EngineTrust(X509ExtendedTrustManager paths) {
        this.paths = paths;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw refused();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw refused();
    }

    @Override
    public final X509Certificate[] getAcceptedIssuers() {
        return paths.getAcceptedIssuers();
    }

    @Override
    public final void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw refused();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw refused();
    }

    @Override
    public final void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw refused();
    }

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw refused();
    }

    private static CertificateException refused() {
        return new CertificateException("not asked for this");
    }
}
