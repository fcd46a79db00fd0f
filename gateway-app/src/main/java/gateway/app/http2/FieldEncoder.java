package gateway.app.http2;

import io.undertow.protocols.http2.HpackEncoder;
import io.undertow.protocols.http2.HpackEncoder.HpackHeaderFunction;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;

/// Turns fields into field sections by HPACK (RFC 7541), without its dynamic table: no peer makes the gateway keep
/// state, and no secret can be guessed by what a table holds (RFC 7541 §7.1).
public final class FieldEncoder {
    private static final int TABLE_BYTES = 4096;
    private static final HpackHeaderFunction PLAIN = new HpackHeaderFunction() {
        @Override
        public boolean shouldUseIndexing(HttpString name, String value) {
            return false;
        }

        @Override
        public boolean shouldUseHuffman(HttpString name, String value) {
            return value.length() > 10;
        }

        @Override
        public boolean shouldUseHuffman(HttpString name) {
            return name.length() > 10;
        }
    };

    private final HpackEncoder hpack = new HpackEncoder(TABLE_BYTES, PLAIN);

    /// The peer wants a table of at most `bytes`.
    void tableSize(int bytes) {
        hpack.setMaxTableSize(Math.min(TABLE_BYTES, bytes));
    }

    /// Appends `fields` as the frames of one field section.
    void write(Output to, int stream, HeaderMap fields, boolean last) {
        ByteBuffer section = encoded(fields);
        int type = Frame.HEADERS;
        int flags = last ? Frame.END_STREAM : 0;
        do {
            int length = Math.min(section.remaining(), Frame.MAX_PAYLOAD);
            if (length == section.remaining()) flags |= Frame.END_HEADERS;
            to.begin(type, flags, stream, length);
            to.put(section, length);
            type = Frame.CONTINUATION;
            flags = 0;
        } while (section.hasRemaining());
    }

    private ByteBuffer encoded(HeaderMap fields) {
        ByteBuffer section = ByteBuffer.allocate(1024);
        while (hpack.encode(fields, section) != HpackEncoder.State.COMPLETE) {
            section = ByteBuffer.allocate(section.capacity() * 2).put(section.flip());
        }
        return section.flip();
    }
}
