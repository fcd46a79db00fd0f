package gateway.app.settings;

/// Where clients may speak HTTP/2.
public enum Http2Use {
    /// Nowhere: HTTP/1 alone.
    OFF,
    /// On the TLS listener, to whom ALPN offers it.
    TLS,
    /// There, and on the plain listener to whom begins with it (RFC 9113 §3.3).
    ALL
}
