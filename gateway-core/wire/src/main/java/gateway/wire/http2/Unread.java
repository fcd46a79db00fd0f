package gateway.wire.http2;

import gateway.wire.memory.Holding;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Content of one stream that has come and nobody has read yet, in order. What a read of the socket brings is looked
/// at where it lies; what is not taken at once is kept on the heap, in pieces of its size.
public final class Unread {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int SMALL = 4 * 1024; // what comes behind a smaller piece joins it
    private static final int OVERHEAD = 96; // of a piece: its array, its buffer and its place in the queue

    private final Holding holding;
    private final ArrayDeque<ByteBuffer> pieces = new ArrayDeque<>(1); // first those that are kept, then the others
    private ByteBuffer lastKept = NOTHING;
    private int kept; // pieces
    private int viewed; // bytes of the others
    private int size;

    /// @param holding for what is kept
    public Unread(Holding holding) {
        this.holding = holding;
    }

    /// Bytes that wait for a reader.
    public int size() {
        return size;
    }

    /// Takes `content`, which stays where it is until [#keep].
    public void add(ByteBuffer content) {
        pieces.addLast(content.slice());
        size += content.remaining();
        viewed += content.remaining();
    }

    /// Moves into `target` what fits; answers how much.
    public int read(ByteBuffer target) {
        int total = 0;
        while (target.hasRemaining() && !pieces.isEmpty()) {
            ByteBuffer piece = pieces.getFirst();
            int count = Math.min(target.remaining(), piece.remaining());
            target.put(target.position(), piece, piece.position(), count);
            target.position(target.position() + count);
            piece.position(piece.position() + count);
            if (kept == 0) viewed -= count;
            total += count;
            if (!piece.hasRemaining()) removeFirst();
        }
        size -= total;
        return total;
    }

    private void removeFirst() {
        ByteBuffer piece = pieces.removeFirst();
        if (kept == 0) return;
        holding.hold(holding.bytes() - cost(piece.capacity()));
        if (--kept == 0) lastKept = NOTHING;
    }

    private static int cost(int bytes) {
        return bytes + OVERHEAD;
    }

    /// What was added is about to go: keeps what nobody has read; false when there is no memory for it.
    public boolean keep() {
        if (viewed == 0) return true;
        boolean joins = kept > 0 && lastKept.remaining() < SMALL;
        ByteBuffer before = joins ? lastKept : NOTHING;
        int count = before.remaining() + viewed;
        long needed = holding.bytes() + cost(count) - (joins ? cost(before.capacity()) : 0);
        if (!holding.hold(needed)) return false;
        ByteBuffer copy = ByteBuffer.allocate(count).put(before);
        int at = 0;
        for (ByteBuffer piece : pieces) {
            if (at++ >= kept) copy.put(piece);
        }
        if (joins) kept--;
        while (pieces.size() > kept) pieces.removeLast();
        pieces.addLast(copy.flip());
        kept++;
        lastKept = copy;
        viewed = 0;
        return true;
    }

    /// Lets go of all; answers how many bytes nobody has read.
    public int clear() {
        int unread = size;
        pieces.clear();
        lastKept = NOTHING;
        kept = 0;
        viewed = 0;
        size = 0;
        holding.release();
        return unread;
    }
}
