package gateway.wire.accept;

import gateway.wire.io.Newcomer;
import java.net.InetSocketAddress;
import org.xnio.StreamConnection;

/// Takes over a connection as it stands now: accepted, told whom it is for, secured.
@FunctionalInterface
public interface Arrival {
    /// @param client who is at the other end: the socket's peer, or whom a trusted peer speaks for
    /// @param newcomer what the connection is until it is served
    void take(StreamConnection connection, InetSocketAddress client, Newcomer newcomer);
}
