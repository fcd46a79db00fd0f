package gateway.app.http2;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.StreamSourceConduit;

/// Cuts what a peer sends into frames, each whole. Keeps a buffer only while part of a frame is there.
public final class FrameReader {
    private static final byte[] PREFACE = Frame.PREFACE.getBytes(StandardCharsets.US_ASCII);

    private final ByteBufferPool pool;
    private @Nullable PooledByteBuffer pooled;
    private boolean begun;
    private boolean filled;

    /// Takes one frame.
    public interface Receiver {
        /// @param payload from its position to its limit; valid until this returns
        void frame(int type, int flags, int stream, ByteBuffer payload) throws IOException;
    }

    private FrameReader(ByteBufferPool pool, boolean begun) {
        this.pool = pool;
        this.begun = begun;
    }

    /// Of what a client sends, which begins with the preface.
    ///
    /// @param pool of buffers that hold the largest frame and more
    public static FrameReader ofClient(ByteBufferPool pool) {
        return new FrameReader(pool, false);
    }

    /// Of what a server sends.
    ///
    /// @param pool of buffers that hold the largest frame and more
    public static FrameReader ofServer(ByteBufferPool pool) {
        return new FrameReader(pool, true);
    }

    /// Whether part of a frame has come.
    public boolean inFrame() {
        return pooled != null;
    }

    /// Whether the latest read took all that it had room for: more may be there.
    public boolean filled() {
        return filled;
    }

    /// Reads once and hands on the frames that are whole; answers how many bytes came, -1 at the end.
    public int read(StreamSourceConduit from, Receiver to) throws IOException {
        PooledByteBuffer lent = pooled;
        if (lent == null) {
            lent = pool.allocate();
            pooled = lent;
        }
        ByteBuffer buffer = lent.getBuffer();
        int count;
        try {
            count = from.read(buffer);
            filled = !buffer.hasRemaining();
            buffer.flip();
            if (count > 0) frames(buffer, to);
            if (pooled == null) return count; // released meanwhile
            buffer.compact();
        } catch (IOException | RuntimeException e) {
            release();
            throw e;
        }
        if (buffer.position() == 0) release();
        return count;
    }

    private void frames(ByteBuffer buffer, Receiver to) throws IOException {
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

    public void release() {
        if (pooled != null) pooled.close();
        pooled = null;
    }
}
