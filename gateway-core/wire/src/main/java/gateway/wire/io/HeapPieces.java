package gateway.wire.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.Conduits;
import org.xnio.conduits.StreamSinkConduit;

/// Hands a socket what lies on the heap in pieces. The JDK copies each into direct memory first, whole, though the
/// socket may take but the beginning, and the thread keeps what the largest took.
public final class HeapPieces extends AbstractStreamSinkConduit<StreamSinkConduit> {
    private static final int MOST = 64 * 1024;

    public HeapPieces(StreamSinkConduit next) {
        super(next);
    }

    private static boolean isLarge(ByteBuffer source) {
        return source.remaining() > MOST && !source.isDirect();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (!isLarge(source)) return next.write(source);
        int limit = source.limit();
        source.limit(source.position() + MOST);
        try {
            return next.write(source);
        } finally {
            source.limit(limit);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (isLarge(sources[i])) return writeUpTo(sources, offset, i);
        }
        return next.write(sources, offset, length);
    }

    /// Those before `last`, and the first piece of that.
    private long writeUpTo(ByteBuffer[] sources, int offset, int last) throws IOException {
        int limit = sources[last].limit();
        sources[last].limit(sources[last].position() + MOST);
        try {
            return next.write(sources, offset, last - offset + 1);
        } finally {
            sources[last].limit(limit);
        }
    }

    @Override
    public int writeFinal(ByteBuffer source) throws IOException {
        return Conduits.writeFinalBasic(this, source);
    }

    @Override
    public long writeFinal(ByteBuffer[] sources, int offset, int length) throws IOException {
        return Conduits.writeFinalBasic(this, sources, offset, length);
    }
}
