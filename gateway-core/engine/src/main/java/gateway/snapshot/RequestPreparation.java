package gateway.snapshot;

import gateway.http.Headers;
import java.net.InetAddress;

/// What the data plane makes of a request's fields before any policy sees them.
@FunctionalInterface
public interface RequestPreparation {
    /// @param sent as the client sends them; stay as they are
    /// @param peer of the connection
    /// @param scheme `http` or `https`
    Prepared prepare(Headers sent, InetAddress peer, String scheme);

    /// @param host lower case, without port; empty when none was sent
    /// @param client the peer, or what a trusted proxy says
    /// @param headers what policies see
    record Prepared(String requestId, String host, InetAddress client, Headers headers) {}
}
