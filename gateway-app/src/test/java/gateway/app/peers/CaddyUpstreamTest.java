package gateway.app.peers;

import java.util.List;

/// Caddy behind the gateway.
final class CaddyUpstreamTest extends EchoContract {
    @Override
    String chain(Peers with) {
        return with.gateway(with.caddy(with.node().place()).place()).url();
    }

    /// Caddy 2.6 ends chunks that its upstream broke off as if they were whole.
    @Override
    List<String> breaks() {
        return List.of("/broken");
    }
}
