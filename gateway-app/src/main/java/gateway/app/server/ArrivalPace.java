package gateway.app.server;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Lets each IO thread take so many new connections, and look at the others before it takes more. XNIO's takes all that
/// are there first: under a flood of them, who is connected waits until the flood ends.
final class ArrivalPace implements Arrival {
    private static final int A_TURN = 16;
    private static final long PAUSE_MILLIS = 1; // after which the thread has been at its sockets

    private final Arrival next;
    private final Map<XnioIoThread, Line> lines = new ConcurrentHashMap<>();

    ArrivalPace(Arrival next) {
        this.next = next;
    }

    @Override
    public void take(StreamConnection connection, InetSocketAddress peer) {
        XnioIoThread io = connection.getIoThread();
        lines.computeIfAbsent(io, Line::new).join(new Newcomer(connection, peer));
    }

    private record Newcomer(StreamConnection connection, InetSocketAddress peer) {}

    /// Those of one IO thread, and used on it.
    private final class Line {
        private final XnioIoThread io;
        private final ArrayDeque<Newcomer> waiting = new ArrayDeque<>();
        private int taken;

        Line(XnioIoThread io) {
            this.io = io;
        }

        void join(Newcomer newcomer) {
            if (taken == A_TURN) waiting.add(newcomer);
            else take(newcomer);
        }

        private void take(Newcomer newcomer) {
            if (++taken == A_TURN) pause();
            next.take(newcomer.connection, newcomer.peer);
        }

        private void pause() {
            try {
                io.executeAfter(this::goOn, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
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
