package gateway.app.traffic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/// Gzip (RFC 1952) that spends little time: one greedy pass over a small hash table, as LZ4 does it, written with
/// DEFLATE's fixed codes (RFC 1951 §3.2.6).
///
/// Log records repeat themselves so much that this finds most of what zlib finds at a third of its cost; decision 0051
/// has the figures. Not thread-safe.
final class FastGzip {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 255};
    private static final int HASH_BITS = 13;
    private static final int SHORTEST = 4;
    private static final int LONGEST = 258;
    private static final int WINDOW = 32768;
    private static final int FAR_AWAY = -WINDOW - 1;

    private final int[] places = new int[1 << HASH_BITS];
    private final CRC32 crc = new CRC32();
    private byte[] out = new byte[1 << 16];
    private int outLength;
    private long bits;
    private int bitCount;

    /// Compresses `count` bytes of `in` from `start`; the result is [#array] up to the length returned.
    int compress(byte[] in, int start, int count) {
        reset(count);
        add(0b011, 3); // the last block, fixed codes
        writeBlock(in, start, start + count);
        add(0, 7); // end of block
        finish(in, start, count);
        return outLength;
    }

    byte[] array() {
        return out;
    }

    private void reset(int count) {
        int most = count + (count >> 3) + 64; // a byte takes 9 bits at most
        if (out.length < most) out = new byte[most];
        System.arraycopy(HEADER, 0, out, 0, HEADER.length);
        outLength = HEADER.length;
        bits = 0;
        bitCount = 0;
        Arrays.fill(places, FAR_AWAY);
    }

    private void writeBlock(byte[] in, int start, int end) {
        int at = start;
        int literals = start;
        int last = end - Long.BYTES;
        while (at <= last) {
            int four = (int) INT.get(in, at);
            int hash = (four * 0x9E3779B1) >>> (32 - HASH_BITS);
            int candidate = places[hash];
            places[hash] = at;
            if (at - candidate > WINDOW || (int) INT.get(in, candidate) != four) {
                at++;
                continue;
            }
            int length = matched(in, candidate, at, end);
            writeLiterals(in, literals, at);
            writeMatch(length, at - candidate);
            at += length;
            literals = at;
        }
        writeLiterals(in, literals, end);
    }

    private static int matched(byte[] in, int candidate, int at, int end) {
        int most = Math.min(LONGEST, end - at);
        int length = SHORTEST;
        while (length + Long.BYTES <= most) {
            long difference = (long) LONG.get(in, candidate + length) ^ (long) LONG.get(in, at + length);
            if (difference != 0) return length + (Long.numberOfTrailingZeros(difference) >>> 3);
            length += Long.BYTES;
        }
        while (length < most && in[candidate + length] == in[at + length]) length++;
        return length;
    }

    private void writeLiterals(byte[] in, int from, int to) {
        for (int i = from; i < to; i++) {
            int code = FixedCodes.LITERALS[in[i] & 255];
            add(code >>> 8, code & 255);
        }
    }

    private void writeMatch(int length, int distance) {
        int code = FixedCodes.LENGTHS[length];
        add(code >>> 8, code & 255);
        int symbol = FixedCodes.distanceSymbol(distance);
        add(FixedCodes.distance(symbol, distance), 5 + FixedCodes.extraBits(symbol));
    }

    /// Writes the lowest `count` bits, at most 32, of `value`.
    private void add(int value, int count) {
        bits |= (long) value << bitCount;
        bitCount += count;
        if (bitCount >= Integer.SIZE) {
            INT.set(out, outLength, (int) bits);
            outLength += Integer.BYTES;
            bits >>>= Integer.SIZE;
            bitCount -= Integer.SIZE;
        }
    }

    private void finish(byte[] in, int start, int count) {
        while (bitCount > 0) {
            out[outLength++] = (byte) bits;
            bits >>>= Byte.SIZE;
            bitCount -= Byte.SIZE;
        }
        crc.reset();
        crc.update(in, start, count);
        INT.set(out, outLength, (int) crc.getValue());
        INT.set(out, outLength + 4, count);
        outLength += 8;
    }
}
