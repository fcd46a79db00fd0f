package gateway.app.server;

import gateway.http.IpRanges;
import java.util.Optional;

/// How connections of clients may begin beside plain HTTP.
///
/// @param tls empty: plain connections only
/// @param proxies peers that say by the PROXY protocol whom they speak for
public record Listening(Optional<TlsListen> tls, IpRanges proxies) {
    /// Plain HTTP/1.1 and nothing else.
    public static final Listening PLAIN = new Listening(Optional.empty(), IpRanges.NONE);
}
