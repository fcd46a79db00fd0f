package gateway.app.peers;

import java.util.Map;

/// HAProxy in front of the gateway: by HTTP/2 in the clear, each connection begun with the PROXY protocol.
final class BehindHaproxyHttp2Test extends DuplexContract {
    @Override
    String chain(Peers with) {
        PeerGateway gateway = with.gateway(
                with.node().place(), Map.of("GATEWAY_HTTP2", "all", "GATEWAY_PROXY_PROTOCOL", "127.0.0.1"));
        return with.haproxy(gateway.place() + " proto h2 send-proxy-v2").url();
    }
}
