package gateway.http;

import java.net.InetAddress;
import java.util.Optional;

/// What is known of the client that sent a request, and of the connection it came by. Worked out when it is asked for.
public interface ClientFacts {
    /// The socket peer, or what a trusted proxy says it is.
    InetAddress address();

    /// What it has shown on its TLS connection; empty in the clear, and where none was asked for or shown.
    Optional<ClientCertificate> certificate();

    /// Whether the connection is to become a WebSocket by this request (RFC 6455 §4.2.1, RFC 8441).
    default boolean opensWebSocket() {
        return false;
    }

    /// A client at `address` that has shown no certificate.
    static ClientFacts at(InetAddress address) {
        return new Known(address, Optional.empty());
    }

    /// These as they are now, for as long as anybody wants to know them.
    default ClientFacts known() {
        return new Known(address(), certificate());
    }

    /// Worked out already.
    record Known(InetAddress address, Optional<ClientCertificate> certificate) implements ClientFacts {}
}
