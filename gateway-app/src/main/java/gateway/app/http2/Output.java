package gateway.app.http2;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.StreamSinkConduit;

/// Frames on their way to the peer, in order, in pooled buffers that go back as they empty.
@SuppressWarnings("ReferenceEquality") // which piece it is
public final class Output {
    private static final int MOST_AT_ONCE = 8;
    private static final long ENOUGH = 48 * 1024; // of content that waits for the socket

    private final ByteBufferPool pool;
    private final StreamSinkConduit socket;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private long appended;
    private long sent;
    private @Nullable Piece lastPiece;
    private int lastFlags;
    private int lastContent; // the stream whose content the last frame is, or 0

    /// A buffer that is filled at its position and sent from `from`.
    private static final class Piece {
        private final PooledByteBuffer lease;
        private final ByteBuffer buffer;
        private int from;

        Piece(PooledByteBuffer lease) {
            this.lease = lease;
            this.buffer = lease.getBuffer();
        }

        boolean isSent() {
            return from == buffer.position();
        }
    }

    public Output(ByteBufferPool pool, StreamSinkConduit socket) {
        this.pool = pool;
        this.socket = socket;
    }

    /// Bytes that have been appended since the beginning.
    public long appended() {
        return appended;
    }

    /// Bytes that the socket has taken since the beginning.
    public long sent() {
        return sent;
    }

    public long unsent() {
        return appended - sent;
    }

    /// Bytes of content that may be appended now.
    public int room() {
        return (int) Math.max(0, ENOUGH - unsent());
    }

    /// Begins a frame, whose `length` bytes of payload follow at once.
    public void begin(int type, int flags, int stream, int length) {
        Piece piece = withRoom(Frame.HEADER_BYTES);
        lastPiece = piece;
        lastFlags = piece.buffer.position() + 4;
        lastContent = type == Frame.DATA ? stream : 0;
        piece.buffer.putInt(length << 8 | type).put((byte) flags).putInt(stream);
        appended += Frame.HEADER_BYTES;
    }

    /// Marks the frame that was begun last as the last one of `stream`, if it is one of its content and not under way.
    public boolean endLast(int stream) {
        Piece piece = lastPiece;
        if (piece == null || lastContent != stream || piece.from > lastFlags) return false;
        piece.buffer.put(lastFlags, (byte) (piece.buffer.get(lastFlags) | Frame.END_STREAM));
        return true;
    }

    public Output put(int number) {
        withRoom(4).buffer.putInt(number);
        appended += 4;
        return this;
    }

    /// A setting: its number and its value.
    public Output put(int setting, int value) {
        withRoom(6).buffer.putShort((short) setting).putInt(value);
        appended += 6;
        return this;
    }

    /// `count` bytes from the position of `from`.
    public Output put(ByteBuffer from, int count) {
        int left = count;
        while (left > 0) {
            ByteBuffer to = withRoom(1).buffer;
            int most = Math.min(left, to.remaining());
            int limit = from.limit();
            from.limit(from.position() + most);
            to.put(from);
            from.limit(limit);
            left -= most;
        }
        appended += count;
        return this;
    }

    /// `count` bytes of `from`, from `begin`.
    Output put(byte[] from, int begin, int count) {
        int at = begin;
        while (at < begin + count) {
            ByteBuffer to = withRoom(1).buffer;
            int most = Math.min(begin + count - at, to.remaining());
            to.put(from, at, most);
            at += most;
        }
        appended += count;
        return this;
    }

    private Piece withRoom(int bytes) {
        Piece last = pieces.peekLast();
        if (last != null && last.buffer.remaining() >= bytes) return last;
        var piece = new Piece(pool.allocate());
        pieces.addLast(piece);
        return piece;
    }

    /// Writes what the socket takes; answers whether nothing is left.
    public boolean flush() throws IOException {
        while (!pieces.isEmpty()) {
            if (write() == 0) return false;
        }
        return true;
    }

    private long write() throws IOException {
        int count = Math.min(pieces.size(), MOST_AT_ONCE);
        var buffers = new ByteBuffer[count];
        int at = 0;
        for (Piece piece : pieces) {
            if (at == count) break;
            buffers[at++] = piece.buffer.flip().position(piece.from);
        }
        long written;
        try {
            written = count == 1 ? socket.write(buffers[0]) : socket.write(buffers, 0, count);
        } finally {
            settle(count);
        }
        sent += written;
        return written;
    }

    /// Makes what is left ready to be filled further, and gives back what is empty.
    private void settle(int count) {
        int at = 0;
        for (Piece piece : pieces) {
            if (at++ == count) break;
            piece.from = piece.buffer.position();
            piece.buffer.position(piece.buffer.limit()).limit(piece.buffer.capacity());
        }
        while (!pieces.isEmpty() && pieces.getFirst().isSent()) {
            Piece piece = pieces.removeFirst();
            if (lastPiece == piece) lastPiece = null;
            piece.lease.close();
        }
    }

    public void release() {
        for (Piece piece : pieces) piece.lease.close();
        pieces.clear();
        lastPiece = null;
    }
}
