package gateway.app.server.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ConduitReadableByteChannel;
import org.xnio.conduits.StreamSourceConduit;

/// Scans what a client sends where it was read into, and keeps a refused request from whoever reads here. See
/// [StrictRequests].
final class StrictSourceConduit extends AbstractStreamSourceConduit<StreamSourceConduit> {
    private final BegunSinkConduit sink;
    private final StreamConnection connection;
    private final StrictRequests rules;
    private final RequestScanner scanner;
    private @Nullable LingeringClose closing; // once turned away, the connection is in its hands

    StrictSourceConduit(
            StreamSourceConduit next,
            BegunSinkConduit sink,
            StreamConnection connection,
            WireLimits limits,
            StrictRequests rules) {
        super(next);
        this.sink = sink;
        this.connection = connection;
        this.rules = rules;
        this.scanner = new RequestScanner(limits);
    }

    boolean refuses() {
        return scanner.refusal() != null;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (scanner.refusal() != null) return turnAway(scanner.refusal());
        if (scanner.atMessageStart()) sink.reset();
        int from = target.position();
        int count = next.read(target);
        if (count <= 0) return count;
        int end = from + count;
        int at = scanner.scan(target, from, end);
        while (at < end && scanner.refusal() == null) {
            end = withoutEmptyLine(target, at, end);
            at = scanner.scan(target, at, end);
        }
        int passed = at - from;
        target.position(at);
        if (at == end) return passed;
        Refusal refusal = scanner.refusal();
        return passed > 0 || refusal == null ? passed : turnAway(refusal);
    }

    /// Takes two octets out at `at`.
    ///
    /// @return where the rest ends now
    private static int withoutEmptyLine(ByteBuffer target, int at, int end) {
        target.put(at, target, at + 2, end - at - 2);
        return end - 2;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].hasRemaining()) return read(targets[i]); // one is enough: readers come again for more
        }
        return 0;
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) throws IOException {
        return target.transferFrom(new ConduitReadableByteChannel(this), position, count);
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target) throws IOException {
        return IoUtils.transfer(new ConduitReadableByteChannel(this), count, through, target);
    }

    @Override
    public void resumeReads() {
        if (closing != null) return;
        if (scanner.refusal() == null) next.resumeReads();
        else next.wakeupReads(); // nothing more need come for the refusal to be told
    }

    @Override
    public void suspendReads() {
        if (closing == null) next.suspendReads();
    }

    @Override
    public void wakeupReads() {
        if (closing == null) next.wakeupReads();
    }

    private int turnAway(Refusal refusal) throws IOException {
        if (closing != null) return 0;
        if (scanner.refusedInContent()) throw broken(refusal);
        closing = new LingeringClose(connection, next);
        connection
                .getIoThread()
                .execute(() -> answer(refusal)); // after the reader has seen that there is nothing to read
        return 0;
    }

    private void answer(Refusal refusal) {
        try {
            rules.answer(refusal).send(sink);
            if (closing != null) closing.begin();
        } catch (IOException e) {
            IoUtils.safeClose(connection); // the client is gone
        }
    }

    /// The reader closes the connection on this exception, so what has arrived is read first: an unread rest would
    /// reset the connection and take the answer with it.
    private MalformedRequestException broken(Refusal refusal) {
        closing = new LingeringClose(connection, next);
        try {
            if (!sink.begun()) rules.answer(refusal).send(sink);
            closing.discard();
        } catch (IOException e) {
            IoUtils.safeClose(connection); // the client is gone
        }
        return new MalformedRequestException(refusal);
    }
}
