package gateway.wire.accept;

import gateway.net.IpRanges;
import java.util.Optional;

/// How connections of clients may begin beside plain HTTP.
///
/// @param tls empty: plain connections only
/// @param proxies peers that say by the PROXY protocol whom they speak for
/// @param http2 whether clients of the plain listener may begin with HTTP/2 (RFC 9113 §3.3)
/// @param plain whether there is a listener in the clear
public record Listening(Optional<TlsListen> tls, IpRanges proxies, boolean http2, boolean plain) {
    /// @throws IllegalArgumentException when nobody could call
    public Listening {
        if (!plain && tls.isEmpty()) throw new IllegalArgumentException("neither a plain listener nor one of TLS");
    }

    /// Beside the plain listener.
    public Listening(Optional<TlsListen> tls, IpRanges proxies, boolean http2) {
        this(tls, proxies, http2, true);
    }

    /// The plain listener speaks HTTP/1 alone.
    public Listening(Optional<TlsListen> tls, IpRanges proxies) {
        this(tls, proxies, false);
    }

    /// Plain HTTP/1.1 and nothing else.
    public static final Listening PLAIN = new Listening(Optional.empty(), IpRanges.NONE);
}
