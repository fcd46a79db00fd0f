package gateway.app.peers;

/// Node's own server behind the gateway.
final class NodeUpstreamTest extends DuplexContract {
    @Override
    String chain(Peers with) {
        return with.gateway(with.node().place()).url();
    }
}
