package gateway.wire.http2;

import gateway.wire.memory.Holding;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.StreamSourceConduit;

/// Cuts what a peer sends into frames, each whole. Has a buffer of the pool only while it reads: the part of a frame
/// that waits for its rest lies on the heap, in its size.
public final class FrameReader {
    private static final byte[] PREFACE = Frame.PREFACE.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};
    private static final int OVERHEAD = 16; // of an array

    private final ByteBufferPool pool;
    private final Holding holding;
    private @Nullable PooledByteBuffer pooled;
    private byte[] part = NOTHING;
    private boolean begun;
    private boolean filled;
    private boolean stopped;

    /// Takes the frames.
    public interface Receiver {
        /// @param payload from its position to its limit; its octets are there until [#frames] returns
        void frame(int type, int flags, int stream, ByteBuffer payload) throws IOException;

        /// What one read has brought has been told.
        ///
        /// @param goOn whether all of it could be taken; else the connection is about to end
        void frames(boolean goOn);
    }

    private FrameReader(ByteBufferPool pool, Holding holding, boolean begun) {
        this.pool = pool;
        this.holding = holding;
        this.begun = begun;
    }

    /// Of what a client sends, which begins with the preface.
    ///
    /// @param pool of buffers that hold the largest frame and more
    /// @param holding for the part of a frame
    public static FrameReader ofClient(ByteBufferPool pool, Holding holding) {
        return new FrameReader(pool, holding, false);
    }

    /// Of what a server sends.
    ///
    /// @param pool of buffers that hold the largest frame and more
    /// @param holding for the part of a frame
    public static FrameReader ofServer(ByteBufferPool pool, Holding holding) {
        return new FrameReader(pool, holding, true);
    }

    /// Whether part of a frame has come.
    public boolean inFrame() {
        return pooled != null || part.length > 0;
    }

    /// Whether the latest read took all that it had room for: more may be there.
    public boolean filled() {
        return filled;
    }

    /// Whether the latest read ended at its time, with frames at hand that the next one takes up.
    public boolean stopped() {
        return stopped;
    }

    /// Reads once and hands on the frames that are whole; answers how many bytes came, -1 at the end. To be followed by
    /// [#rest] when no further read follows at once.
    ///
    /// @param until [System#nanoTime] from where no further frame is handed on
    public int read(StreamSourceConduit from, Receiver to, long until) throws IOException {
        ByteBuffer buffer = buffer();
        int count;
        try {
            count = stopped ? buffer.position() : from.read(buffer);
            filled = !buffer.hasRemaining();
            buffer.flip();
            if (count > 0) cut(buffer, to, until);
            if (pooled == null) return count; // released meanwhile
            buffer.compact();
        } catch (IOException | RuntimeException e) {
            release();
            throw e;
        }
        if (buffer.position() == 0) giveBack();
        return count;
    }

    private ByteBuffer buffer() throws IOException {
        if (pooled != null) return pooled.getBuffer();
        PooledByteBuffer lent;
        try {
            lent = pool.allocate();
        } catch (RuntimeException e) {
            throw new IOException("no memory to read into", e);
        }
        pooled = lent;
        ByteBuffer buffer = lent.getBuffer().put(part);
        part = NOTHING;
        return buffer;
    }

    private void cut(ByteBuffer buffer, Receiver to, long until) throws IOException {
        boolean whole = false;
        try {
            frames(buffer, to, until);
            whole = true;
        } finally {
            to.frames(whole);
        }
    }

    private void frames(ByteBuffer buffer, Receiver to, long until) throws IOException {
        stopped = false;
        if (!begun && !preface(buffer)) return;
        while (pooled != null && buffer.remaining() >= Frame.HEADER_BYTES) {
            int at = buffer.position();
            int first = buffer.getInt(at);
            int length = first >>> 8;
            int type = first & 0xff;
            if (length > Frame.MAX_PAYLOAD) throw new Http2Exception(ErrorCode.FRAME_SIZE_ERROR, "frame of " + length);
            if (buffer.remaining() < Frame.HEADER_BYTES + length) return;
            int limit = buffer.limit();
            int end = at + Frame.HEADER_BYTES + length;
            int flags = buffer.get(at + 4) & 0xff;
            int stream = buffer.getInt(at + 5) & Integer.MAX_VALUE;
            buffer.limit(end).position(at + Frame.HEADER_BYTES);
            to.frame(type, flags, stream, buffer);
            if (pooled == null) return;
            buffer.limit(limit).position(end);
            if (end < limit && System.nanoTime() - until >= 0) {
                stopped = true;
                return;
            }
        }
    }

    private boolean preface(ByteBuffer buffer) throws Http2Exception {
        int known = Math.min(PREFACE.length, buffer.remaining());
        for (int i = 0; i < known; i++) {
            if (buffer.get(buffer.position() + i) != PREFACE[i])
                throw new Http2Exception(ErrorCode.PROTOCOL_ERROR, "not the preface of HTTP/2");
        }
        if (known < PREFACE.length) return false;
        buffer.position(buffer.position() + PREFACE.length);
        begun = true;
        return true;
    }

    /// Nothing more is read for now: the buffer goes back, and what has come of a frame is kept without it.
    public void rest() throws Http2Exception {
        PooledByteBuffer lent = pooled;
        if (lent != null) {
            ByteBuffer buffer = lent.getBuffer().flip();
            part = new byte[buffer.remaining()];
            buffer.get(part);
            giveBack();
        }
        if (!holding.hold(part.length == 0 ? 0 : part.length + OVERHEAD))
            throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "no memory for part of a frame");
    }

    private void giveBack() {
        if (pooled != null) pooled.close();
        pooled = null;
    }

    /// Nothing more is read.
    public void release() {
        giveBack();
        part = NOTHING;
        holding.release();
    }
}
