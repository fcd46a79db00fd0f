package gateway.app.server;

import gateway.app.tls.ServerTls;
import java.net.InetSocketAddress;

/// Where clients call over TLS, and what they are presented.
public record TlsListen(InetSocketAddress address, ServerTls tls) {}
