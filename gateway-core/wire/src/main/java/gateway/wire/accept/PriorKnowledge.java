package gateway.wire.accept;

import gateway.wire.http2.Frame;
import gateway.wire.io.ConnectionResources;
import gateway.wire.io.Deadlines;
import gateway.wire.io.Newcomer;
import gateway.wire.io.SilentLine;
import gateway.wire.io.Sockets;
import gateway.wire.memory.Pressure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/// Tells by its first bytes which HTTP a connection in the clear speaks (RFC 9113 §3.3). Looks at no more than the
/// preface of HTTP/2, and at nothing once it knows.
public final class PriorKnowledge implements Arrival {
    private static final byte[] PREFACE = Frame.PREFACE.getBytes(StandardCharsets.US_ASCII);

    private final Function<XnioIoThread, ConnectionResources> everyIoThread;
    private final long idleNanos;
    private final long headNanos;
    private final Arrival http1;
    private final Arrival http2;

    /// @param idle until something comes
    /// @param head from then on until it is clear; a tenth when memory is tight
    public PriorKnowledge(
            Function<XnioIoThread, ConnectionResources> everyIoThread,
            Duration idle,
            Duration head,
            Arrival http1,
            Arrival http2) {
        this.everyIoThread = everyIoThread;
        this.idleNanos = idle.toNanos();
        this.headNanos = head.toNanos();
        this.http1 = http1;
        this.http2 = http2;
    }

    @Override
    public void take(StreamConnection connection, InetSocketAddress client, Newcomer newcomer) {
        var undecided = new Undecided(connection, client, newcomer, everyIoThread.apply(connection.getIoThread()));
        connection.getSourceChannel().setReadListener(_ -> undecided.read());
        connection.getSourceChannel().resumeReads();
    }

    /// A connection whose first bytes have not all come.
    private final class Undecided implements Deadlines.Timed, SilentLine.Silent {
        private final StreamConnection connection;
        private final InetSocketAddress client;
        private final Newcomer newcomer;
        private final ConnectionResources ioThread;
        private final ByteBuffer first = ByteBuffer.allocate(PREFACE.length);
        private long since = System.nanoTime();
        private boolean over;
        private int slot = -1;

        Undecided(
                StreamConnection connection,
                InetSocketAddress client,
                Newcomer newcomer,
                ConnectionResources ioThread) {
            this.connection = connection;
            this.client = client;
            this.newcomer = newcomer;
            this.ioThread = ioThread;
            ioThread.connectionDeadlines().watch(this);
            ioThread.silent().begun(this);
        }

        void read() {
            try {
                boolean begins = first.position() == 0;
                int count = connection.getSourceChannel().getConduit().read(first);
                if (count == 0) return;
                boolean same = isPreface();
                if (count > 0 && same && first.hasRemaining()) {
                    if (begins) since = System.nanoTime();
                    return;
                }
                if (count < 0) close(); // what has come is no request, and nobody else would hear of its end
                else decide(same ? http2 : http1);
            } catch (IOException e) {
                close();
            }
        }

        private void decide(Arrival next) {
            end();
            var source = connection.getSourceChannel();
            source.suspendReads();
            source.setReadListener(null);
            source.setConduit(new ReadAhead(source.getConduit(), first.flip()));
            next.take(connection, client, newcomer);
        }

        private boolean isPreface() {
            for (int i = 0; i < first.position(); i++) {
                if (first.get(i) != PREFACE[i]) return false;
            }
            return true;
        }

        private void close() {
            end();
            Sockets.close(connection);
        }

        private void end() {
            over = true;
            ioThread.connectionDeadlines().forget(this);
            ioThread.silent().over(this);
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

        @Override
        public void onTick(long now) {
            if (now - since > most(ioThread.memory().pressure()) || !connection.isOpen()) close();
        }

        private long most(Pressure pressure) {
            if (first.position() > 0) return pressure.patience(headNanos);
            return pressure == Pressure.NONE ? idleNanos : 0;
        }

        @Override
        public int slot() {
            return slot;
        }

        @Override
        public void slot(int value) {
            slot = value;
        }
    }
}
