package gateway.wire.accept;

import gateway.wire.tls.ServerTls;
import java.net.InetSocketAddress;

/// Where clients call over TLS, and what they are presented.
public record TlsListen(InetSocketAddress address, ServerTls tls) {}
