package gateway.app.peers;

/// HAProxy in front of the gateway, by HTTP/1.1.
final class BehindHaproxyTest extends DuplexContract {
    @Override
    String chain(Peers with) {
        return with.haproxy(with.gateway(with.node().place()).place()).url();
    }
}
