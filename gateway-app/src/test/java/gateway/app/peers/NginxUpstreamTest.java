package gateway.app.peers;

/// nginx behind the gateway, as a proxy.
final class NginxUpstreamTest extends EchoContract {
    @Override
    String chain(Peers with) {
        return with.gateway(with.nginx(with.node().place()).place()).url();
    }
}
