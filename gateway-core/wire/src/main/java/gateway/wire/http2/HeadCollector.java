package gateway.wire.http2;

import gateway.wire.memory.Holding;
import io.undertow.protocols.http2.HpackDecoder;
import io.undertow.protocols.http2.HpackException;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Puts the frames of one field section together and decodes it. A peer that never ends it, or that makes it grow
/// past all measure, is told to calm down (CVE-2024-27316).
public final class HeadCollector {
    private static final int TABLE_BYTES = 4096;
    private static final int MOST_FRAMES = 16; // (CVE-2024-27316)
    private static final int MEASURE = 4; // times the limit: until then its size is answered, since decoding goes on

    private static final int ENTRY = 176; // of the decoder's table on the heap, but for its octets
    private static final int SMALLEST_ENTRY = 33; // as RFC 7541 §4.1 counts

    /// What the decoder's table takes on the heap at most.
    public static final int MOST_TABLE = TABLE_BYTES / SMALLEST_ENTRY * ENTRY;

    private static final byte[] NOTHING = {};

    private final HpackDecoder hpack = new HpackDecoder(TABLE_BYTES);
    private final int headBytes;
    private final Holding holding;
    private byte[] collected = NOTHING;
    private int table; // bytes of fields that may be in the table
    private int frames;
    private int stream;
    private boolean last;
    private boolean pastMeasure;
    private long since;

    /// Takes the fields of a section as they are decoded.
    public interface Fields {
        void add(HttpString name, String value);

        /// Size so far, as RFC 9113 §6.5.2 counts.
        long bytes();
    }

    /// @param headBytes how large a section may be; one that is larger is decoded all the same, up to four times that
    /// @param holding for a section that is incomplete, and for the decoder's table
    public HeadCollector(int headBytes, Holding holding) {
        this.headBytes = headBytes;
        this.holding = holding;
    }

    /// The stream whose field section is incomplete; 0 when there is none.
    public int stream() {
        return stream;
    }

    /// Whether the section that is now complete ends its stream.
    public boolean last() {
        return last;
    }

    /// Whether the latest section is larger than anybody wants to know.
    boolean pastMeasure() {
        return pastMeasure;
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
        collected = NOTHING;
    }

    /// One more fragment; `end` says whether it is the last. Answers the section's octets then, else null.
    @Nullable
    public ByteBuffer add(ByteBuffer fragment, boolean end) throws Http2Exception {
        int count = fragment.remaining();
        int length = collected.length;
        pastMeasure = ++frames > MOST_FRAMES || length + count > MEASURE * headBytes;
        if (pastMeasure) throw tooMuch("a field section without end");
        if (end && frames == 1) {
            stream = 0;
            return fragment;
        }
        if (!end) hold(length + count);
        byte[] kept = Arrays.copyOf(collected, length + count);
        fragment.get(kept, length, count);
        if (!end) {
            collected = kept;
            return null;
        }
        stream = 0;
        collected = NOTHING;
        return ByteBuffer.wrap(kept);
    }

    private void hold(int incomplete) throws Http2Exception {
        if (!holding.hold(table + incomplete)) throw tooMuch("no memory for field sections");
    }

    private static Http2Exception tooMuch(String what) {
        return new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, what);
    }

    /// Nothing more comes.
    public void release() {
        stream = 0;
        collected = NOTHING;
        holding.release();
    }

    /// Every section is decoded, wanted or not: the peer's table is the same for all.
    public void decode(ByteBuffer octets, Fields section) throws Http2Exception {
        hpack.setHeaderEmitter((name, value, _) -> {
            if (section.bytes() > (long) MEASURE * headBytes) throw new HpackException();
            if (table < MOST_TABLE) table = Math.min(MOST_TABLE, table + ENTRY + name.length() + value.length());
            section.add(name, value);
        });
        try {
            hpack.decode(octets, false);
        } catch (HpackException | RuntimeException e) {
            if (section.bytes() > (long) MEASURE * headBytes) throw tooMuch("a field section past all measure");
            throw new Http2Exception(ErrorCode.COMPRESSION_ERROR, "a field section that cannot be decoded");
        }
        hold(0);
    }
}
