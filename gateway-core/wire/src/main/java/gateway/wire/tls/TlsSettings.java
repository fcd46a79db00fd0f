package gateway.wire.tls;

import gateway.http.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// How a TLS listener presents itself and whom it lets in.
///
/// @param certificates the first is the default; not empty
/// @param password of PKCS#12 stores and encrypted keys
/// @param clientCa PEM file of the authorities of client certificates
/// @param clientCrl revocation lists of those authorities
/// @param engine whose TLS is spoken
public record TlsSettings(
        List<Place> certificates,
        Optional<Secret> password,
        Version oldest,
        ClientAuth clientAuth,
        Optional<Path> clientCa,
        Optional<Path> clientCrl,
        boolean http2,
        Engine engine) {
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    public TlsSettings {
        certificates = List.copyOf(certificates);
    }

    /// The ciphers that are spoken, by their JSSE names, the preferred first.
    List<String> ciphers() {
        return CIPHERS;
    }

    /// The versions that are spoken, by their JSSE names.
    List<String> versions() {
        return switch (oldest) {
            case TLS_1_2 -> List.of("TLSv1.3", "TLSv1.2");
            case TLS_1_3 -> List.of("TLSv1.3");
        };
    }

    /// What ALPN (RFC 7301) offers, the preferred first.
    List<String> protocols() {
        return http2 ? List.of("h2", "http/1.1") : List.of("http/1.1");
    }

    /// Where a certificate lies, and its key when that lies apart.
    public record Place(Path certificate, Optional<Path> key) {}

    /// The oldest version that is spoken.
    public enum Version {
        TLS_1_2,
        TLS_1_3
    }

    /// Whether clients are asked for a certificate.
    public enum ClientAuth {
        OFF,
        OPTIONAL,
        REQUIRED
    }

    /// Whose TLS is spoken.
    public enum Engine {
        /// [#OPENSSL] where there can be such engines, [#JDK] elsewhere.
        AUTO,
        JDK,
        /// As [#AUTO], but the log warns where it is the JDK's.
        OPENSSL
    }
}
