package gateway.wire.http2;

import gateway.wire.memory.Holding;
import io.undertow.connector.ByteBufferPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.StreamSinkConduit;

/// Frames on their way to the peer, in order. Appending never fails: without memory for a frame the output [#isLost].
public final class Output {
    private static final long ENOUGH = 48 * 1024; // of content that waits for the socket

    private final SendQueue queue;
    private long appended;
    private long sent;
    private SendQueue.@Nullable Piece lastPiece;
    private int lastFlags;
    private int lastContent; // the stream whose content the last frame is, or 0

    /// @param holding for what a full socket leaves over
    public Output(ByteBufferPool pool, Holding holding, StreamSinkConduit socket) {
        this.queue = new SendQueue(pool, holding, socket);
    }

    /// Whether frames were dropped for want of memory: the connection cannot go on.
    public boolean isLost() {
        return queue.isLost();
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
        SendQueue.Piece piece = queue.withRoom(Frame.HEADER_BYTES);
        lastPiece = piece;
        lastFlags = piece.buffer().position() + 4;
        lastContent = type == Frame.DATA ? stream : 0;
        piece.buffer().putInt(length << 8 | type).put((byte) flags).putInt(stream);
        appended += Frame.HEADER_BYTES;
    }

    /// Marks the frame that was begun last as the last one of `stream`, if it is one of its content and not under way.
    public boolean endLast(int stream) {
        SendQueue.Piece piece = lastPiece;
        if (piece == null || lastContent != stream || !piece.holds(lastFlags)) return false;
        piece.buffer().put(lastFlags, (byte) (piece.buffer().get(lastFlags) | Frame.END_STREAM));
        return true;
    }

    public Output put(int number) {
        queue.withRoom(4).buffer().putInt(number);
        appended += 4;
        return this;
    }

    /// A setting: its number and its value.
    public Output put(int setting, int value) {
        queue.withRoom(6).buffer().putShort((short) setting).putInt(value);
        appended += 6;
        return this;
    }

    /// `count` bytes from the position of `from`.
    public Output put(ByteBuffer from, int count) {
        int left = count;
        while (left > 0) {
            ByteBuffer to = queue.withRoom(1).buffer();
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
            ByteBuffer to = queue.withRoom(1).buffer();
            int most = Math.min(begin + count - at, to.remaining());
            to.put(from, at, most);
            at += most;
        }
        appended += count;
        return this;
    }

    /// Writes what the socket takes; answers whether nothing is left.
    public boolean flush() throws IOException {
        while (!queue.isEmpty()) {
            long count = queue.write();
            sent += count;
            if (count > 0) continue;
            queue.shrink();
            return false;
        }
        lastPiece = null;
        return true;
    }

    /// Nothing more is sent.
    public void release() {
        queue.release();
        lastPiece = null;
    }
}
