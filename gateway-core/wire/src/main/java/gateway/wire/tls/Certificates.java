package gateway.wire.tls;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// Reads certificates of PEM files.
final class Certificates {
    private Certificates() {}

    /// The certificates of a file in order, at least one.
    ///
    /// @throws TlsFileException when there is none, or one is broken
    static List<X509Certificate> read(Path file) {
        List<X509Certificate> found = of(Pem.read(file));
        if (found.isEmpty()) throw new TlsFileException(file + ": holds no certificate");
        return found;
    }

    static List<X509Certificate> of(List<Pem> blocks) {
        var found = new ArrayList<X509Certificate>();
        for (Pem block : blocks) {
            if (block.label().equals("CERTIFICATE")) found.add(one(block));
        }
        return found;
    }

    private static X509Certificate one(Pem block) {
        try {
            return (X509Certificate) factory().generateCertificate(new ByteArrayInputStream(block.content()));
        } catch (CertificateException e) {
            throw block.wrong("the certificate is broken");
        }
    }

    static CertificateFactory factory() {
        try {
            return CertificateFactory.getInstance("X.509");
        } catch (CertificateException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /// A key store of nothing but these, as trust managers want them.
    static KeyStore asStore(List<X509Certificate> certificates) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < certificates.size(); i++) store.setCertificateEntry("ca-" + i, certificates.get(i));
            return store;
        } catch (GeneralSecurityException | java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
