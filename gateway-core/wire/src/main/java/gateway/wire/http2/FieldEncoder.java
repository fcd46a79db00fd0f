package gateway.wire.http2;

import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.HttpString;
import java.util.Arrays;

/// Turns fields into field sections by HPACK (RFC 7541), without its dynamic table: no peer makes the gateway keep
/// state, and no secret can be guessed by what a table holds (RFC 7541 §7.1).
final class FieldEncoder {
    private static final HttpString STATUS = new HttpString(":status");
    private static final int TABLE_BYTES = 4096; // what a peer's decoder begins with
    private static final int INDEXED = 0x80; // RFC 7541 §6
    private static final int TABLE_SIZE = 0x20;
    private static final int WITHOUT_INDEXING = 0;
    private static final int HUFFMAN = 0x80;
    private static final int WORTH_CODING = 10; // characters
    private static final int KEPT_BYTES = 512; // of scratch space, between sections
    private static final int LONGEST_NUMBER = 6; // bytes of one that fits an int

    private byte[] section = {};
    private int length;
    private boolean tellsSize;

    /// The peer wants a table of at most `bytes`, and is told that it gets none if that is less than before.
    void tableSize(int bytes) {
        if (bytes < TABLE_BYTES) tellsSize = true;
    }

    /// Appends `fields` as the frames of one field section, pseudo-header fields first.
    void write(Output to, int stream, HeaderMap fields, boolean last) {
        begin();
        put(fields, true);
        put(fields, false);
        end(to, stream, last);
    }

    /// The same for the head of a response, whose `fields` hold no pseudo-header field.
    void write(Output to, int stream, int status, HeaderMap fields, boolean last) {
        begin();
        put(STATUS, Integer.toString(status));
        put(fields, false);
        end(to, stream, last);
    }

    private void begin() {
        length = 0;
        if (!tellsSize) return;
        tellsSize = false;
        room(1);
        section[length++] = TABLE_SIZE; // none, RFC 7541 §4.2
    }

    private void put(HeaderMap fields, boolean pseudo) {
        for (long at = fields.fastIterateNonEmpty(); at != -1L; at = fields.fiNextNonEmpty(at)) {
            HeaderValues values = fields.fiCurrent(at);
            HttpString name = values.getHeaderName();
            if ((name.byteAt(0) == ':') != pseudo) continue;
            for (int i = 0; i < values.size(); i++) put(name, bare(values.get(i)));
        }
    }

    /// A value that a policy has made may have blanks around it. They belong to none (RFC 9110 §5.5): readers of HTTP/1
    /// pass them over, those of HTTP/2 refuse the whole message (RFC 9113 §8.2.1).
    private static String bare(String value) {
        int end = value.length();
        if (end == 0 || !(isBlank(value.charAt(0)) || isBlank(value.charAt(end - 1)))) return value;
        int begin = 0;
        while (begin < end && isBlank(value.charAt(begin))) begin++;
        while (end > begin && isBlank(value.charAt(end - 1))) end--;
        return value.substring(begin, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private void put(HttpString name, String value) {
        int known = StaticTable.find(name);
        int whole = known == 0 ? 0 : StaticTable.find(known, value);
        room(2 * LONGEST_NUMBER + 1 + name.length() + value.length());
        if (whole > 0) {
            number(INDEXED, 7, whole);
            return;
        }
        number(WITHOUT_INDEXING, 4, known);
        if (known == 0) name(name);
        value(value);
    }

    private void name(HttpString name) {
        int count = name.length();
        number(0, 7, count);
        for (int i = 0; i < count; i++) {
            byte octet = name.byteAt(i);
            section[length++] = octet >= 'A' && octet <= 'Z' ? (byte) (octet | 0x20) : octet;
        }
    }

    @SuppressWarnings("deprecation") // the one way to take Latin-1 characters without making an array
    private void value(String value) {
        int plain = value.length();
        int coded = plain > WORTH_CODING ? Huffman.length(value) : plain;
        if (coded < plain) {
            number(HUFFMAN, 7, coded);
            Huffman.put(value, section, length);
            length += coded;
            return;
        }
        number(0, 7, plain);
        value.getBytes(0, plain, section, length);
        length += plain;
    }

    /// RFC 7541 §5.1: in the `bits` that `kind` leaves, and as many bytes more as it takes.
    private void number(int kind, int bits, int number) {
        int most = (1 << bits) - 1;
        if (number < most) {
            section[length++] = (byte) (kind | number);
            return;
        }
        section[length++] = (byte) (kind | most);
        int rest = number - most;
        for (; rest >= 0x80; rest >>>= 7) section[length++] = (byte) (rest | 0x80);
        section[length++] = (byte) rest;
    }

    private void room(int more) {
        if (length + more <= section.length) return;
        section = Arrays.copyOf(section, Math.max(KEPT_BYTES, Math.max(section.length * 2, length + more)));
    }

    private void end(Output to, int stream, boolean last) {
        int type = Frame.HEADERS;
        int flags = last ? Frame.END_STREAM : 0;
        int at = 0;
        do {
            int count = Math.min(length - at, Frame.MAX_PAYLOAD);
            if (at + count == length) flags |= Frame.END_HEADERS;
            to.begin(type, flags, stream, count);
            to.put(section, at, count);
            at += count;
            type = Frame.CONTINUATION;
            flags = 0;
        } while (at < length);
        if (section.length > KEPT_BYTES) section = new byte[] {};
    }
}
