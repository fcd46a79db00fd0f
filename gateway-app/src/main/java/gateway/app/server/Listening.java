package gateway.app.server;

import java.util.Optional;

/// How connections of clients may begin beside plain HTTP.
///
/// @param tls empty: plain connections only
public record Listening(Optional<TlsListen> tls) {
    /// Plain HTTP/1.1 and nothing else.
    public static final Listening PLAIN = new Listening(Optional.empty());
}
