package gateway.app.tls;

import gateway.key.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// How a TLS listener presents itself and whom it lets in.
///
/// @param certificates the first is the default; not empty
/// @param password of PKCS#12 stores and encrypted keys
/// @param clientCa PEM file of the authorities of client certificates
/// @param clientCrl revocation lists of those authorities
public record TlsSettings(
        List<Place> certificates,
        Optional<Secret> password,
        Version oldest,
        ClientAuth clientAuth,
        Optional<Path> clientCa,
        Optional<Path> clientCrl,
        boolean http2) {
    public TlsSettings {
        certificates = List.copyOf(certificates);
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
}
