package gateway.wire.accept;

import gateway.net.IpRanges;
import gateway.wire.io.Sockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;

/// Has proxies say first whom they speak for. Only those that are trusted are asked, and they must say it; for all
/// others a PROXY header is what it looks like: no HTTP.
public final class ProxiedArrival implements Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(ProxiedArrival.class);

    private final IpRanges proxies;
    private final Duration patience;
    private final Arrival next;

    /// @param patience for a whole header
    public ProxiedArrival(IpRanges proxies, Duration patience, Arrival next) {
        this.proxies = proxies;
        this.patience = patience;
        this.next = next;
    }

    @Override
    public void take(StreamConnection connection, InetSocketAddress peer) {
        if (!proxies.contains(peer.getAddress())) {
            next.take(connection, peer);
            return;
        }
        XnioExecutor.Key deadline = connection
                .getIoThread()
                .executeAfter(() -> Sockets.close(connection), patience.toMillis(), TimeUnit.MILLISECONDS);
        var header = new ProxyHeader();
        connection.getSourceChannel().setReadListener(channel -> read(connection, peer, header, deadline));
        connection.getSourceChannel().resumeReads();
    }

    private void read(
            StreamConnection connection, InetSocketAddress peer, ProxyHeader header, XnioExecutor.Key deadline) {
        try {
            if (!header.read(connection.getSourceChannel().getConduit())) return;
            InetSocketAddress client = header.client(peer);
            deadline.remove();
            connection.getSourceChannel().suspendReads();
            connection.getSourceChannel().setReadListener(null);
            next.take(connection, client);
        } catch (IOException e) {
            deadline.remove();
            LOG.debug("no PROXY header from {}: {}", peer, e.getMessage());
            Sockets.close(connection);
        }
    }
}
