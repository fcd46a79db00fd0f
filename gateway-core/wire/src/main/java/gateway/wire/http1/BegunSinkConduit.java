package gateway.wire.http1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/// Notes whether a final response has begun to leave on this connection; interim ones (1xx) do not count.
final class BegunSinkConduit extends AbstractStreamSinkConduit<StreamSinkConduit> {
    private static final int STATUS = "HTTP/1.1 ".length();

    private boolean begun;

    BegunSinkConduit(StreamSinkConduit next) {
        super(next);
    }

    boolean begun() {
        return begun;
    }

    void reset() {
        begun = false;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        note(source);
        return next.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (length > 0) note(sources[offset]);
        return next.write(sources, offset, length);
    }

    @Override
    public int writeFinal(ByteBuffer source) throws IOException {
        note(source);
        return next.writeFinal(source);
    }

    @Override
    public long writeFinal(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (length > 0) note(sources[offset]);
        return next.writeFinal(sources, offset, length);
    }

    @Override
    public long transferFrom(FileChannel source, long position, long count) throws IOException {
        begun = true;
        return next.transferFrom(source, position, count);
    }

    @Override
    public long transferFrom(StreamSourceChannel source, long count, ByteBuffer through) throws IOException {
        begun = true;
        return next.transferFrom(source, count, through);
    }

    private void note(ByteBuffer source) {
        if (begun) return;
        int at = source.position() + STATUS;
        begun = at >= source.limit() || source.get(at) != '1';
    }
}
