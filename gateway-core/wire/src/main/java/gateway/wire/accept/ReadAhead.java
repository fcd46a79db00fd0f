package gateway.wire.accept;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.Buffers;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/// Gives back first what was read too early.
final class ReadAhead extends AbstractStreamSourceConduit<StreamSourceConduit> {
    private final ByteBuffer early;

    ReadAhead(StreamSourceConduit next, ByteBuffer early) {
        super(next);
        this.early = early;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return early.hasRemaining() ? Buffers.copy(target, early) : next.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        if (!early.hasRemaining()) return next.read(targets, offset, length);
        return Buffers.copy(targets, offset, length, early);
    }

    /// What is here already makes no event on the socket.
    @Override
    public void resumeReads() {
        if (early.hasRemaining()) next.wakeupReads();
        else next.resumeReads();
    }
}
