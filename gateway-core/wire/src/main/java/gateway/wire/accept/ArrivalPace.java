package gateway.wire.accept;

import gateway.wire.io.NextTurn;
import gateway.wire.io.Sockets;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Lets each IO thread take so many new connections, and look at the others before it takes more. XNIO's takes all that
/// are there first: under a flood of them, who is connected waits until the flood ends.
public final class ArrivalPace implements Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(ArrivalPace.class);
    private static final int A_TURN = 16;

    private final Function<XnioIoThread, NextTurn> turns;
    private final Arrival next;
    private final Map<XnioIoThread, Line> lines = new ConcurrentHashMap<>();

    public ArrivalPace(Function<XnioIoThread, NextTurn> turns, Arrival next) {
        this.turns = turns;
        this.next = next;
    }

    @Override
    public void take(StreamConnection connection, InetSocketAddress peer) {
        XnioIoThread io = connection.getIoThread();
        lines.computeIfAbsent(io, each -> new Line(turns.apply(each))).join(new Newcomer(connection, peer));
    }

    private record Newcomer(StreamConnection connection, InetSocketAddress peer) {}

    /// Those of one IO thread, and used on it.
    private final class Line {
        private final NextTurn nextTurn;
        private final ArrayDeque<Newcomer> waiting = new ArrayDeque<>();
        private int taken;

        Line(NextTurn nextTurn) {
            this.nextTurn = nextTurn;
        }

        void join(Newcomer newcomer) {
            if (taken == A_TURN || !waiting.isEmpty()) waiting.add(newcomer);
            else take(newcomer);
        }

        /// The pause begins behind the last one, however long that took.
        private void take(Newcomer newcomer) {
            try {
                next.take(newcomer.connection, newcomer.peer);
            } catch (RuntimeException | Error e) { // costs nobody else a turn
                LOG.error("a connection of {} is closed: it could not be taken", newcomer.peer, e);
                Sockets.close(newcomer.connection);
            } finally {
                if (++taken == A_TURN) pause();
            }
        }

        private void pause() {
            try {
                nextTurn.run(this::goOn);
            } catch (RejectedExecutionException e) { // the gateway has stopped
                taken = 0;
            }
        }

        private void goOn() {
            taken = 0;
            while (taken < A_TURN && !waiting.isEmpty()) take(waiting.remove());
        }
    }
}
