package gateway.app.peers;

import java.util.List;
import java.util.Map;

/// Caddy in front of the gateway, by HTTP/2 in the clear.
final class BehindCaddyTest extends EchoContract {
    @Override
    String chain(Peers with) {
        PeerGateway gateway = with.gateway(with.node().place(), Map.of("GATEWAY_HTTP2", "all"));
        return with.caddy("h2c://" + gateway.place()).url();
    }

    /// Caddy 2.6 ends chunks that its upstream broke off as if they were whole.
    @Override
    List<String> breaks() {
        return List.of("/broken");
    }
}
