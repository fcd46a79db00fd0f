package gateway.wire.accept;

import gateway.net.IpRanges;
import gateway.wire.io.Newcomer;
import gateway.wire.io.SilentConnections;
import gateway.wire.io.SilentLine;
import gateway.wire.io.Sockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;
import org.xnio.XnioIoThread;

/// Has proxies say first whom they speak for. Only those that are trusted are asked, and they must say it; for all
/// others a PROXY header is what it looks like: no HTTP.
public final class ProxiedArrival implements Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(ProxiedArrival.class);

    private final IpRanges proxies;
    private final Function<XnioIoThread, SilentConnections> everyIoThread;
    private final Duration patience;
    private final Arrival next;

    /// @param everyIoThread whom those join that have not said it yet
    /// @param patience for a whole header
    public ProxiedArrival(
            IpRanges proxies,
            Function<XnioIoThread, SilentConnections> everyIoThread,
            Duration patience,
            Arrival next) {
        this.proxies = proxies;
        this.everyIoThread = everyIoThread;
        this.patience = patience;
        this.next = next;
    }

    @Override
    public void take(StreamConnection connection, InetSocketAddress peer, Newcomer newcomer) {
        if (!proxies.contains(peer.getAddress())) {
            next.take(connection, peer, newcomer);
            return;
        }
        new Awaited(connection, peer, newcomer).begin();
    }

    /// A connection whose header has not come whole.
    private final class Awaited implements SilentLine.Silent {
        private final StreamConnection connection;
        private final InetSocketAddress peer;
        private final Newcomer newcomer;
        private final SilentConnections silent;
        private final ProxyHeader header = new ProxyHeader();
        private final XnioExecutor.Key deadline;
        private boolean over;

        Awaited(StreamConnection connection, InetSocketAddress peer, Newcomer newcomer) {
            this.connection = connection;
            this.peer = peer;
            this.newcomer = newcomer;
            this.silent = everyIoThread.apply(connection.getIoThread());
            this.deadline =
                    connection.getIoThread().executeAfter(this::close, patience.toMillis(), TimeUnit.MILLISECONDS);
        }

        void begin() {
            silent.begun(this);
            connection.getSourceChannel().setReadListener(_ -> read());
            connection.getSourceChannel().resumeReads();
        }

        private void read() {
            try {
                if (!header.read(connection.getSourceChannel().getConduit())) return;
                InetSocketAddress client = header.client(peer);
                end();
                connection.getSourceChannel().suspendReads();
                connection.getSourceChannel().setReadListener(null);
                newcomer.isOf(ClientNetwork.of(client.getAddress()));
                next.take(connection, client, newcomer);
            } catch (IOException e) {
                LOG.debug("no PROXY header from {}: {}", peer, e.getMessage());
                close();
            }
        }

        private void close() {
            end();
            Sockets.close(connection);
        }

        private void end() {
            over = true;
            deadline.remove();
            silent.over(this);
        }

        @Override
        public boolean awaitsTurn() {
            return newcomer.awaitsTurn();
        }

        @Override
        public boolean makeRoom() {
            read();
            if (over) return !connection.isOpen();
            close();
            return true;
        }
    }
}
