package gateway.wire.http2;

import gateway.wire.memory.Holding;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.StreamSinkConduit;

/// Bytes on their way to a socket, in pooled buffers that go back as they empty. The little that a full socket leaves
/// over waits on the heap, in its size.
///
/// There is always room: without memory for it, what is put there goes nowhere and the queue [#isLost].
final class SendQueue {
    private static final int MOST_AT_ONCE = 8;
    private static final int SMALL = 4 * 1024; // what comes behind a smaller piece on the heap joins it
    private static final int OVERHEAD = 144; // of a piece on the heap
    private static final int LOST_BYTES = 16 * 1024;

    private final ByteBufferPool pool;
    private final Holding holding;
    private final StreamSinkConduit socket;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>(1);
    private int onHeap; // pieces, all of them full, ahead of the others
    private boolean lost;

    /// A buffer that is filled at its position and sent from `from`.
    static final class Piece {
        private final @Nullable PooledByteBuffer lease; // null: on the heap
        private final ByteBuffer buffer;
        private int from;
        private boolean gone;

        private Piece(@Nullable PooledByteBuffer lease, ByteBuffer buffer) {
            this.lease = lease;
            this.buffer = buffer;
        }

        ByteBuffer buffer() {
            return buffer;
        }

        /// Whether the octet at `index` is still here to be changed.
        boolean holds(int index) {
            return !gone && from <= index;
        }

        private int unsent() {
            return buffer.position() - from;
        }

        private int cost() {
            return buffer.capacity() + OVERHEAD;
        }

        private void moveTo(ByteBuffer target) {
            target.put(target.position(), buffer, from, unsent());
            target.position(target.position() + unsent());
            giveBack();
        }

        private void giveBack() {
            gone = true;
            if (lease != null) lease.close();
        }
    }

    /// @param holding for what waits on the heap
    SendQueue(ByteBufferPool pool, Holding holding, StreamSinkConduit socket) {
        this.pool = pool;
        this.holding = holding;
        this.socket = socket;
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /// Whether something went nowhere.
    boolean isLost() {
        return lost;
    }

    /// Where to put at least one of `bytes` bytes that must not be parted, at the position.
    Piece withRoom(int bytes) {
        Piece last = pieces.size() > onHeap ? pieces.peekLast() : null;
        if (last != null && last.buffer.remaining() >= bytes) return last;
        if (lost) return nowhere();
        PooledByteBuffer lease;
        try {
            lease = pool.allocate();
        } catch (RuntimeException e) { // the pool has no more memory
            lose();
            return nowhere();
        }
        var piece = new Piece(lease, lease.getBuffer());
        pieces.addLast(piece);
        return piece;
    }

    private void lose() {
        release();
        lost = true;
    }

    private static Piece nowhere() {
        return new Piece(null, ByteBuffer.allocate(LOST_BYTES));
    }

    /// Writes what the socket takes of the first pieces; answers how much.
    long write() throws IOException {
        int count = Math.min(pieces.size(), MOST_AT_ONCE);
        var buffers = new ByteBuffer[count];
        int at = 0;
        for (Piece piece : pieces) {
            if (at == count) break;
            buffers[at++] = piece.buffer.flip().position(piece.from);
        }
        try {
            return count == 1 ? socket.write(buffers[0]) : socket.write(buffers, 0, count);
        } finally {
            settle(count);
        }
    }

    /// Makes what is left ready to be filled further, and gives back what is empty.
    private void settle(int count) {
        int at = 0;
        for (Piece piece : pieces) {
            if (at++ == count) break;
            piece.from = piece.buffer.position();
            piece.buffer.position(piece.buffer.limit()).limit(piece.buffer.capacity());
        }
        while (!pieces.isEmpty() && pieces.getFirst().unsent() == 0) {
            Piece piece = pieces.removeFirst();
            piece.giveBack();
            if (onHeap == 0) continue;
            onHeap--;
            holding.hold(holding.bytes() - piece.cost());
        }
    }

    /// The socket is full, maybe for long: little in large buffers goes to the heap.
    void shrink() {
        int bytes = 0;
        int room = 0;
        int at = 0;
        for (Piece piece : pieces) {
            if (at++ < onHeap) continue;
            bytes += piece.unsent();
            room += piece.buffer.capacity();
        }
        if (bytes <= room / 4 && bytes > 0) moveToHeap(bytes);
    }

    /// @param bytes that the pooled buffers hold
    private void moveToHeap(int bytes) {
        int first = onHeap;
        int count = bytes;
        long freed = 0;
        Piece before = onHeap == 0 ? null : lastOnHeap();
        if (before != null && before.unsent() < SMALL) {
            first--;
            count += before.unsent();
            freed = before.cost();
        }
        if (!holding.hold(holding.bytes() - freed + count + OVERHEAD)) {
            lose();
            return;
        }
        var copy = new Piece(null, ByteBuffer.allocate(count));
        var moved = new ArrayDeque<Piece>(pieces.size() - first);
        while (pieces.size() > first) moved.addFirst(pieces.removeLast());
        for (Piece piece : moved) piece.moveTo(copy.buffer);
        pieces.addLast(copy);
        onHeap = first + 1;
    }

    private @Nullable Piece lastOnHeap() {
        Piece last = null;
        int at = 0;
        for (Piece piece : pieces) {
            if (at++ == onHeap) break;
            last = piece;
        }
        return last;
    }

    /// Nothing more is sent.
    void release() {
        for (Piece piece : pieces) piece.giveBack();
        pieces.clear();
        onHeap = 0;
        holding.release();
    }
}
