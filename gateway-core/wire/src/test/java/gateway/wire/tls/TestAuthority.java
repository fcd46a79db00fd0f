package gateway.wire.tls;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/// A certificate authority of the tests, fresh for each, and what it issues.
public final class TestAuthority {
    private static final AtomicLong SERIALS = new AtomicLong(System.nanoTime());

    private final KeyPair keys;
    private final X500Name name;
    private final X509Certificate certificate;
    private final List<X509Certificate> links; // from it to the one that signs itself, without that

    public TestAuthority() {
        this("Test authority");
    }

    public TestAuthority(String commonName) {
        keys = newKeys("EC");
        name = new X500Name("CN=" + commonName);
        certificate = signed(name.toString(), keys, Duration.ofDays(365), true);
        links = List.of();
    }

    private TestAuthority(KeyPair keys, X500Name name, X509Certificate certificate, List<X509Certificate> above) {
        this.keys = keys;
        this.name = name;
        this.certificate = certificate;
        this.links = followed(certificate, above);
    }

    /// An authority that this one stands for.
    public TestAuthority below(Duration lifetime, String commonName) {
        KeyPair own = newKeys("EC");
        var subject = new X500Name("CN=" + commonName);
        return new TestAuthority(own, subject, signed(subject.toString(), own, lifetime, true), links);
    }

    private static List<X509Certificate> followed(X509Certificate first, List<X509Certificate> rest) {
        return Stream.concat(Stream.of(first), rest.stream()).toList();
    }

    /// A certificate, those that lead from it to an authority that signs itself, and its key.
    public record Issued(List<X509Certificate> chain, KeyPair keys) {
        public X509Certificate certificate() {
            return chain.getFirst();
        }

        /// Writes all into one PEM file.
        public Path write(Path file) {
            return TestAuthority.write(
                    file,
                    Stream.concat(chain.stream(), Stream.of(keys.getPrivate())).toArray());
        }
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public Path write(Path file) {
        return write(file, certificate);
    }

    /// For a server or client with these DNS names.
    public Issued issue(String commonName, String... dnsNames) {
        return issue("EC", Duration.ofDays(30), commonName, dnsNames);
    }

    public Issued issue(String keyType, Duration lifetime, String commonName, String... dnsNames) {
        KeyPair own = newKeys(keyType);
        return new Issued(followed(signed("CN=" + commonName, own, lifetime, false, dnsNames), links), own);
    }

    private X509Certificate signed(
            String subject, KeyPair own, Duration lifetime, boolean authority, String... dnsNames) {
        Instant now = Instant.now();
        try {
            var builder = new JcaX509v3CertificateBuilder(
                    name,
                    BigInteger.valueOf(SERIALS.incrementAndGet()),
                    Date.from(now.minus(Duration.ofDays(2))),
                    Date.from(now.plus(lifetime)),
                    new X500Name(subject),
                    own.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (dnsNames.length > 0) builder.addExtension(Extension.subjectAlternativeName, false, names(dnsNames));
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (IOException | GeneralSecurityException | OperatorException e) {
            throw new IllegalStateException(e);
        }
    }

    private static GeneralNames names(String... dnsNames) {
        return new GeneralNames(Arrays.stream(dnsNames)
                .map(each -> new GeneralName(GeneralName.dNSName, each))
                .toArray(GeneralName[]::new));
    }

    /// A list that revokes these, in force for so long from now.
    public X509CRL revoke(Duration lifetime, X509Certificate... revoked) {
        Instant now = Instant.now();
        try {
            var builder = new JcaX509v2CRLBuilder(certificate, Date.from(now.minus(Duration.ofDays(1))));
            builder.setNextUpdate(Date.from(now.plus(lifetime)));
            for (X509Certificate each : revoked) {
                builder.addCRLEntry(each.getSerialNumber(), Date.from(now), CRLReason.keyCompromise);
            }
            return new JcaX509CRLConverter()
                    .getCRL(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (GeneralSecurityException | OperatorException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Writes objects as PEM, one after the other; moved into place whole.
    public static Path write(Path file, Object... parts) {
        var text = new StringWriter();
        try (var pem = new JcaPEMWriter(text)) {
            for (Object part : parts) pem.writeObject(part instanceof ECPrivateKey key ? sec1(key) : part);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            return Files.writeString(file, text.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// As `openssl ecparam -genkey` writes it: with the name of its curve.
    private static PemObject sec1(ECPrivateKey key) throws IOException {
        var info = PrivateKeyInfo.getInstance(key.getEncoded());
        var curve = info.getPrivateKeyAlgorithm().getParameters();
        var named = new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), curve);
        return new PemObject("EC PRIVATE KEY", named.getEncoded());
    }

    /// A client's side: trusts this authority, and shows `own` when there is one.
    public SSLContext client(Issued... own) {
        try {
            var trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(Certificates.asStore(List.of(certificate)));
            var keyManagers = KeyManagerFactory.getInstance("PKIX");
            var store = java.security.KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (Issued each : own) {
                store.setKeyEntry(
                        "own",
                        each.keys().getPrivate(),
                        new char[0],
                        each.chain().toArray(X509Certificate[]::new));
            }
            keyManagers.init(store, new char[0]);
            var context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair newKeys(String type) {
        try {
            var generator = KeyPairGenerator.getInstance(type);
            if (type.equals("EC")) generator.initialize(new ECGenParameterSpec("secp256r1"));
            else if (type.equals("RSA")) generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
