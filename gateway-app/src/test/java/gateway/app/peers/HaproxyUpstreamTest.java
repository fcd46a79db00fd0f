package gateway.app.peers;

/// HAProxy behind the gateway.
final class HaproxyUpstreamTest extends DuplexContract {
    @Override
    String chain(Peers with) {
        return with.gateway(with.haproxy(with.node().place()).place()).url();
    }
}
