package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.tls.TlsSettings;
import gateway.wire.tls.TlsSettings.Engine;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the engines are alike in and the other tests of TLS do not look at.
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
final class TlsEnginesTest {
    private static final String LAST = "GET /x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";

    private final Engine engine;

    TlsEnginesTest(Engine engine) {
        this.engine = engine;
    }

    @Test
    void the_engine_that_is_asked_for_is_taken() throws IOException {
        try (SecureGateway gateway = SecureGateway.by(engine)) {
            assertThat(gateway.tls.engines()).isEqualTo(engine == Engine.JDK ? "the JDK" : "BoringSSL");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void a_client_that_comes_again_resumes_its_session_until_a_reload(String version) throws Exception {
        try (SecureGateway gateway = SecureGateway.by(engine)) {
            var handshakes = new CountedHandshakes();
            SSLContext client = handshakes.client();

            exchange(gateway, client, version);
            exchange(gateway, client, version);
            assertThat(handshakes.whole).hasValue(1);

            gateway.tls.reload();
            exchange(gateway, client, version);
            assertThat(handshakes.whole).hasValue(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"h2 http/1.1,h2", "http/1.1 h2,h2", "http/1.1,http/1.1", "'',''"})
    void of_the_protocols_that_a_client_offers_the_gateway_prefers_http2(String offered, String chosen)
            throws IOException {
        SecureGateway gateway =
                new SecureGateway((own, usual) -> withHttp2(SecureGateway.by(engine, usual)), same -> same);
        try (gateway) {
            SSLSocket client = gateway.socket();
            var parameters = client.getSSLParameters();
            parameters.setApplicationProtocols(offered.isEmpty() ? new String[0] : offered.split(" "));
            client.setSSLParameters(parameters);
            client.startHandshake();

            assertThat(client.getApplicationProtocol()).isEqualTo(chosen);
        }
    }

    private static TlsSettings withHttp2(TlsSettings usual) {
        return new TlsSettings(
                usual.certificates(),
                usual.password(),
                usual.oldest(),
                usual.clientAuth(),
                usual.clientCa(),
                usual.clientCrl(),
                true,
                usual.engine());
    }

    private static void exchange(SecureGateway gateway, SSLContext context, String version) throws IOException {
        SSLSocket client = gateway.socket(context, "a.example");
        client.setEnabledProtocols(new String[] {version});
        assertThat(SecureGateway.exchange(client, LAST)).startsWith("HTTP/1.1 200 ");
        client.close();
    }

    /// Trusts everybody, and counts how often it was asked: a resumed session asks nobody.
    private static final class CountedHandshakes extends TrustingAll {
        final AtomicInteger whole = new AtomicInteger();

        SSLContext client() throws Exception {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
            return context;
        }

        @Override
        void asked(List<X509Certificate> chain) {
            whole.incrementAndGet();
        }
    }
}
