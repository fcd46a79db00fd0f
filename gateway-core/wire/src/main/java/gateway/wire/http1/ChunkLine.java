package gateway.wire.http1;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The line before a chunk: its size and extensions (RFC 9112 §7.1), without the white space that the RFC calls
/// bad.
final class ChunkLine {
    private static final int MAX_DIGITS = 15; // 60 bits: no sign can be reached

    private ChunkLine() {}

    /// What is wrong with the line, or null.
    static @Nullable Refusal wrong(ByteBuffer line, int from, int to) {
        int at = afterSize(line, from, to);
        if (at == from || at - from > MAX_DIGITS) return Refusal.CHUNK_SIZE;
        if (at < to && line.get(at) != ';') return Refusal.CHUNK_SIZE;
        while (at < to) {
            at = afterExtension(line, at, to);
            if (at < 0) return Refusal.CHUNK_EXTENSION;
        }
        return null;
    }

    /// The size that a line without fault tells.
    static long size(ByteBuffer line, int from, int to) {
        long size = 0;
        for (int i = from; i < to; i++) {
            int digit = Octets.hexDigit(line.get(i));
            if (digit < 0) break;
            size = size << 4 | digit;
        }
        return size;
    }

    private static int afterSize(ByteBuffer line, int from, int to) {
        int at = from;
        while (at < to && Octets.hexDigit(line.get(at)) >= 0) at++;
        return at;
    }

    /// The index after `";" name [ "=" value ]`, or -1.
    private static int afterExtension(ByteBuffer line, int from, int to) {
        if (line.get(from) != ';') return -1;
        int name = Octets.skip(Octets.TOKEN, line, from + 1, to);
        if (name == from + 1) return -1;
        if (name == to || line.get(name) != '=') return name;
        if (name + 1 < to && line.get(name + 1) == '"') return afterQuoted(line, name + 2, to);
        int value = Octets.skip(Octets.TOKEN, line, name + 1, to);
        return value == name + 1 ? -1 : value;
    }

    private static int afterQuoted(ByteBuffer line, int from, int to) {
        int at = Octets.skip(Octets.QUOTED, line, from, to);
        while (at + 1 < to && line.get(at) == '\\') {
            if (!Octets.is(Octets.QUOTED, line.get(at + 1)) && line.get(at + 1) != '"' && line.get(at + 1) != '\\')
                return -1;
            at = Octets.skip(Octets.QUOTED, line, at + 2, to);
        }
        return at < to && line.get(at) == '"' ? at + 1 : -1;
    }
}
