package gateway.wire.accept;

import gateway.net.IpRanges;
import gateway.wire.io.Credit;
import gateway.wire.io.Newcomer;
import gateway.wire.io.NewcomersTurn;
import gateway.wire.io.Sockets;
import java.net.InetSocketAddress;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Takes each accepted connection over: at once when its client has credit, else in the newcomers' turn of its IO
/// thread. XNIO's takes all that are there first: under a flood of them, who is connected waits until the flood ends.
public final class Newcomers {
    private static final Logger LOG = LoggerFactory.getLogger(Newcomers.class);

    private final Function<XnioIoThread, NewcomersTurn> turns;
    private final Predicate<StreamConnection> admission;
    private final Credit credit;
    private final IpRanges proxies;
    private final Arrival next;

    /// @param admission whether one may come; closes those that may not
    /// @param proxies that have to tell first whom they speak for
    public Newcomers(
            Function<XnioIoThread, NewcomersTurn> turns,
            Predicate<StreamConnection> admission,
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
        long from = System.nanoTime();
        boolean admitted = admission.test(connection);
        turn.spent(from);
        if (!admitted) return;
        var peer = connection.getPeerAddress(InetSocketAddress.class);
        var newcomer = Newcomer.on(connection, turn, credit);
        if (!proxies.contains(peer.getAddress())) newcomer.isOf(ClientNetwork.of(peer.getAddress()));
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
