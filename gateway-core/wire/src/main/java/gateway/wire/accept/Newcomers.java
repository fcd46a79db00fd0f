package gateway.wire.accept;

import gateway.net.IpRanges;
import gateway.wire.io.Credit;
import gateway.wire.io.Newcomer;
import gateway.wire.io.NewcomersTurn;
import gateway.wire.io.Sockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Takes each accepted connection over: at once when its client has credit, else in the newcomers' turn of its IO
/// thread. XNIO's takes all that are there first: under a flood of them, who is connected waits until the flood ends.
public final class Newcomers {
    private static final Logger LOG = LoggerFactory.getLogger(Newcomers.class);

    private final Function<XnioIoThread, NewcomersTurn> turns;
    private final Admission admission;
    private final Credit credit;
    private final IpRanges proxies;
    private final Arrival next;

    /// Who may come.
    @FunctionalInterface
    public interface Admission {
        /// Whether `connection` may; closes it if not.
        ///
        /// @param pays whether its client has credit, which is spent; asked once at most
        boolean admits(StreamConnection connection, BooleanSupplier pays);
    }

    /// @param proxies that have to tell first whom they speak for
    public Newcomers(
            Function<XnioIoThread, NewcomersTurn> turns,
            Admission admission,
            Credit credit,
            IpRanges proxies,
            Arrival next) {
        this.turns = turns;
        this.admission = admission;
        this.credit = credit;
        this.proxies = proxies;
        this.next = next;
    }

    /// To be called on the IO thread of `connection`.
    public void accept(StreamConnection connection) {
        NewcomersTurn turn = turns.apply(connection.getIoThread());
        var peer = connection.getPeerAddress(InetSocketAddress.class);
        InetAddress client = proxies.contains(peer.getAddress()) ? null : ClientNetwork.of(peer.getAddress());
        long from = System.nanoTime();
        boolean admitted = admission.admits(connection, () -> client != null && credit.spend(client));
        turn.spent(from);
        if (!admitted) return;
        var newcomer = Newcomer.on(connection, turn, credit);
        if (client != null) newcomer.isOf(client);
        newcomer.begin(() -> take(connection, peer, newcomer));
    }

    private void take(StreamConnection connection, InetSocketAddress peer, Newcomer newcomer) {
        try {
            next.take(connection, peer, newcomer);
        } catch (RuntimeException | Error e) { // costs nobody else a turn
            LOG.error("a connection of {} is closed: it could not be taken", peer, e);
            Sockets.close(connection);
        }
    }
}
