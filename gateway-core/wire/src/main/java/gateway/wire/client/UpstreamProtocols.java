package gateway.wire.client;

import gateway.net.UpstreamProtocol;

/// What ALPN (RFC 7301) calls the protocols that upstreams are spoken to by.
final class UpstreamProtocols {
    static final String HTTP_2 = "h2";
    static final String HTTP_1 = "http/1.1";

    private UpstreamProtocols() {}

    /// What is offered over TLS, the best first.
    static String[] offered(UpstreamProtocol protocol) {
        return switch (protocol) {
            case HTTP1 -> new String[] {HTTP_1};
            case H2, H2C -> new String[] {HTTP_2};
            case AUTO -> new String[] {HTTP_2, HTTP_1};
        };
    }
}
