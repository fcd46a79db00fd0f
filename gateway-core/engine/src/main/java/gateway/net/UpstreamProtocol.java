package gateway.net;

/// Which HTTP the servers of an upstream are spoken to by.
public enum UpstreamProtocol {
    /// HTTP/1.1.
    HTTP1,
    /// HTTP/2 over TLS; a server that does not choose it by ALPN (RFC 7301) is not spoken to.
    H2,
    /// HTTP/2 in the clear, by prior knowledge (RFC 9113 §3.3).
    H2C,
    /// Over TLS, HTTP/2 where the server chooses it by ALPN and HTTP/1.1 elsewhere.
    AUTO
}
