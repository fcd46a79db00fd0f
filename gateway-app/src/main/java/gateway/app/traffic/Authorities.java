package gateway.app.traffic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Certificate authorities from a PEM file, instead of those that the JDK trusts.
final class Authorities {
    private Authorities() {}

    /// @throws UncheckedIOException when `file` holds no certificates
    static SSLContext trusting(Path file) {
        try (var pem = Files.newInputStream(file)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate found : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                trusted.setCertificateEntry("authority-" + number++, found);
            }
            if (number == 0) throw new IOException("it holds no certificate");
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new UncheckedIOException(
                    "cannot read certificate authorities from " + file + ": " + e.getMessage(), new IOException(e));
        }
    }
}
