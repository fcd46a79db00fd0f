package gateway.app.proxy;

import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Trusts every server, for tests that look at something else.
abstract class TrustingAll extends X509ExtendedTrustManager {
    abstract void asked(List<X509Certificate> chain);

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
        asked(List.of(chain));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
        asked(List.of(chain));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
        asked(List.of(chain));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
