package gateway.wire.http2;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Content of one answer that has come and nobody has taken yet; at most a window full, see [UpstreamStream].
final class Received {
    private final ByteBufferPool pool;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private int size;
    private int lentFrom = -1;

    /// A buffer that is filled by one view and taken from by the other.
    private record Piece(PooledByteBuffer lease, ByteBuffer in, ByteBuffer out) {
        static Piece of(PooledByteBuffer lease) {
            ByteBuffer buffer = lease.getBuffer();
            return new Piece(lease, buffer, buffer.duplicate());
        }
    }

    Received(ByteBufferPool pool) {
        this.pool = pool;
    }

    /// Bytes that nobody has taken yet, as far as [#takeBack] knows.
    int size() {
        return size;
    }

    void add(ByteBuffer content) {
        size += content.remaining();
        while (content.hasRemaining()) {
            Piece last = pieces.peekLast();
            if (last == null || !last.in.hasRemaining()) {
                last = Piece.of(pool.allocate());
                pieces.addLast(last);
            }
            int count = Math.min(content.remaining(), last.in.remaining());
            last.in.put(last.in.position(), content, content.position(), count);
            last.in.position(last.in.position() + count);
            content.position(content.position() + count);
        }
    }

    /// What comes first, to be taken by moving the position until [#takeBack]; null when nothing is here.
    @Nullable
    ByteBuffer lend() {
        Piece first = pieces.peekFirst();
        if (first == null) return null;
        first.out.limit(first.in.position());
        lentFrom = first.out.position();
        return first.out;
    }

    /// Ends the lending; answers how much was taken.
    int takeBack() {
        if (lentFrom < 0) return 0;
        Piece first = pieces.getFirst();
        int taken = first.out.position() - lentFrom;
        lentFrom = -1;
        size -= taken;
        if (first.out.position() == first.in.position())
            pieces.removeFirst().lease.close();
        return taken;
    }

    void release() {
        for (Piece piece : pieces) piece.lease.close();
        pieces.clear();
        size = 0;
        lentFrom = -1;
    }
}
