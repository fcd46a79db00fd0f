package gateway.app.traffic;

import java.util.Arrays;
import java.util.zip.CRC32C;

/// Encoded records one after the other, as they go over the wire, and where each one ends. Used again and again by the
/// shipper's thread.
final class Batch {
    private static final int SPARE = 64 << 10; // room for the record that fills the batch

    private final int maxRecords;
    private final int maxBytes;
    private final JsonBytes json;
    private int[] ends;
    private int count;
    private long openedNanos;

    Batch(int maxRecords, int maxBytes) {
        this.maxRecords = maxRecords;
        this.maxBytes = maxBytes;
        this.json = new JsonBytes(maxBytes + SPARE);
        this.ends = new int[maxRecords];
    }

    /// Where the next record is written; [#close] then ends it.
    JsonBytes json() {
        return json;
    }

    /// Ends the record that was written since the last call.
    void close(long nowNanos) {
        if (count == 0) openedNanos = nowNanos;
        if (count == ends.length) ends = Arrays.copyOf(ends, count * 2);
        ends[count++] = json.length();
    }

    /// Takes back what was written since the last [#close].
    void discard() {
        json.truncate(end());
    }

    void clear() {
        count = 0;
        json.truncate(0);
        json.shrink(4 * maxBytes + SPARE);
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return count >= maxRecords || json.length() >= maxBytes;
    }

    /// How long the oldest record has waited here.
    long age(long nowNanos) {
        return count == 0 ? 0 : nowNanos - openedNanos;
    }

    byte[] array() {
        return json.array();
    }

    int start(int record) {
        return record == 0 ? 0 : ends[record - 1];
    }

    int end(int record) {
        return ends[record];
    }

    /// Tells a record from others, by its bytes.
    long checksum(int record) {
        var crc = new CRC32C();
        int length = end(record) - start(record);
        crc.update(array(), start(record), length);
        return (long) length << Integer.SIZE | crc.getValue();
    }

    /// Bytes of all closed records.
    int end() {
        return start(count);
    }
}
