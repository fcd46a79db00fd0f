package gateway.app.peers;

/// nginx in front of the gateway, with connections that it keeps.
final class BehindNginxTest extends EchoContract {
    @Override
    String chain(Peers with) {
        return with.nginx(with.gateway(with.node().place()).place()).url();
    }
}
