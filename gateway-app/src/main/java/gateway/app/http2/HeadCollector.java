package gateway.app.http2;

import io.undertow.protocols.http2.HpackDecoder;
import io.undertow.protocols.http2.HpackException;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Puts the frames of one field section together and decodes it. A peer that never ends it, or that makes it grow
/// past all measure, is told to calm down (CVE-2024-27316).
public final class HeadCollector {
    private static final int TABLE_BYTES = 4096;
    private static final int MOST_FRAMES = 16; // (CVE-2024-27316)
    private static final int MEASURE = 4; // times the limit: until then its size is answered, since decoding goes on

    private final HpackDecoder hpack = new HpackDecoder(TABLE_BYTES);
    private final int headBytes;
    private byte @Nullable [] collected;
    private int length;
    private int frames;
    private int stream;
    private boolean last;
    private long since;

    /// Takes the fields of a section as they are decoded.
    public interface Fields {
        void add(HttpString name, String value);

        /// Size so far, as RFC 9113 §6.5.2 counts.
        long bytes();
    }

    /// @param headBytes how large a section may be; one that is larger is decoded all the same, up to four times that
    public HeadCollector(int headBytes) {
        this.headBytes = headBytes;
    }

    /// The stream whose field section is incomplete; 0 when there is none.
    public int stream() {
        return stream;
    }

    /// Whether the section that is now complete ends its stream.
    public boolean last() {
        return last;
    }

    /// When the incomplete section began, as [System#nanoTime] tells.
    public long since() {
        return since;
    }

    /// The first frame, its padding taken off.
    public void begin(int of, boolean endsStream, long now) {
        stream = of;
        last = endsStream;
        since = now;
        frames = 0;
        length = 0;
    }

    /// One more fragment; `end` says whether it is the last. Answers the section's octets then, else null.
    @Nullable
    public ByteBuffer add(ByteBuffer fragment, boolean end) throws Http2Exception {
        int count = fragment.remaining();
        if (++frames > MOST_FRAMES || length + count > MEASURE * headBytes)
            throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "a field section without end");
        if (end && frames == 1) {
            stream = 0;
            return fragment;
        }
        byte[] kept = collected;
        if (kept == null || kept.length < length + count) {
            var wider = new byte[Math.max(length + count, length * 2)];
            if (kept != null) System.arraycopy(kept, 0, wider, 0, length);
            collected = kept = wider;
        }
        fragment.get(kept, length, count);
        length += count;
        if (!end) return null;
        stream = 0;
        collected = null;
        return ByteBuffer.wrap(kept, 0, length);
    }

    /// Every section is decoded, wanted or not: the peer's table is the same for all.
    public void decode(ByteBuffer octets, Fields section) throws Http2Exception {
        hpack.setHeaderEmitter((name, value, _) -> {
            if (section.bytes() > (long) MEASURE * headBytes) throw new HpackException();
            section.add(name, value);
        });
        try {
            hpack.decode(octets, false);
        } catch (HpackException | RuntimeException e) {
            if (section.bytes() > (long) MEASURE * headBytes)
                throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "a field section past all measure");
            throw new Http2Exception(ErrorCode.COMPRESSION_ERROR, "a field section that cannot be decoded");
        }
    }
}
