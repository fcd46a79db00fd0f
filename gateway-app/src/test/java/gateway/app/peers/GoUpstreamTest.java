package gateway.app.peers;

/// Go's net/http behind the gateway.
final class GoUpstreamTest extends DuplexContract {
    @Override
    String chain(Peers with) {
        return with.gateway(with.add(PeerEchoServer.go(with.folder())).place()).url();
    }
}
