package gateway.app.coding;

import com.google.auto.service.AutoService;
import gateway.http.ContentCoding;
import gateway.http.PlainBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.brotli.dec.BrotliInputStream;

/// `br` (RFC 7932), with windows as far as 4 MiB: the decoder makes as much of what a few bytes ask for, before
/// anything has come out that could be counted. It works without a pause, so that no more of them are held at once
/// than there are threads that run policies. 14 bytes that fill such a window take some ten milliseconds.
@AutoService(ContentCoding.class)
public final class BrotliCoding implements ContentCoding {
    private static final int LARGEST_WINDOW = 22; // its logarithm; what encoders take unless told
    private static final int SMALL_WINDOW = 16;
    private static final int SMALL = 64 * 1024;
    private static final int PIECE = 8 * 1024;
    private static final String BEHIND_END = "Unused bytes after end"; // how the decoder says so

    /// Where plain bytes go.
    @FunctionalInterface
    private interface Sink {
        void add(byte[] from, int offset, int count);
    }

    /// Knows whether its reader has been told that there is no more.
    private static final class Source extends InputStream {
        private final byte[] coded;
        private final int end;
        private int at;
        private boolean ended;

        Source(byte[] coded, int end) {
            this.coded = coded;
            this.end = end;
        }

        @Override
        public int read() {
            ended |= at == end;
            return at == end ? -1 : coded[at++] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            ended |= at == end;
            if (at == end) return -1;
            int count = Math.min(length, end - at);
            System.arraycopy(coded, at, to, offset, count);
            at += count;
            return count;
        }
    }

    @Override
    public List<String> names() {
        return List.of("br");
    }

    /// Its window is filled before any of it is handed out. What is known to be little is one part that says that it
    /// is the last, and how long it is, as encoders make of what they have whole.
    @Override
    public boolean runsAhead(byte[] coded) {
        return window(coded[0] & 0xff) > SMALL_WINDOW && lengthOfOnly(coded) > SMALL;
    }

    /// RFC 7932 §9.2: `ISLAST`, `ISLASTEMPTY`, `MNIBBLES` and `MLEN` follow the bits that say the window.
    ///
    /// @return of all of it when its first part is the last one; else the most that there is
    private static int lengthOfOnly(byte[] coded) {
        long head = 0;
        for (int i = 0; i < Math.min(coded.length, Long.BYTES); i++) head |= (coded[i] & 0xffL) << (8 * i);
        head >>>= bitsOfWindow(coded[0] & 0xff);
        if ((head & 1) == 0) return Integer.MAX_VALUE;
        if ((head >> 1 & 1) == 1) return 0;
        int nibbles = 4 + (int) (head >> 2 & 3);
        return nibbles > 6 ? Integer.MAX_VALUE : 1 + (int) (head >> 4 & ((1L << (4 * nibbles)) - 1));
    }

    private static int bitsOfWindow(int first) {
        if ((first & 1) == 0) return 1;
        return (first >> 1 & 7) != 0 ? 4 : 7;
    }

    @Override
    public void undo(byte[] coded, PlainBytes plain) throws IOException {
        if (window(coded[0] & 0xff) > LARGEST_WINDOW) throw new IOException("its window is larger than 4 MiB");
        var source = new Source(coded, coded.length);
        try {
            decode(source, plain::add);
        } catch (IOException e) {
            throw new IOException(isBehindEnd(e) ? "something stands behind its end" : "it is broken or cut off", e);
        }
        if (source.at < source.end || (!source.ended && !needsLastByte(coded))) {
            throw new IOException("something stands behind its end");
        }
    }

    /// RFC 7932 §9.1.
    ///
    /// @return its logarithm; 0 for none that there is
    private static int window(int first) {
        if ((first & 1) == 0) return 16;
        int large = first >> 1 & 7;
        if (large != 0) return 17 + large;
        int small = first >> 4 & 7;
        return small == 0 ? 17 : small == 1 ? 0 : 8 + small;
    }

    private static void decode(Source source, Sink sink) throws IOException {
        try (var decoded = new BrotliInputStream(source)) {
            byte[] piece = new byte[PIECE];
            while (true) {
                int count = read(decoded, piece);
                if (count <= 0) return;
                sink.add(piece, 0, count);
            }
        }
    }

    private static int read(BrotliInputStream decoded, byte[] piece) throws IOException {
        try {
            return decoded.read(piece, 0, piece.length);
        } catch (IndexOutOfBoundsException e) { // bytes that no encoder makes
            throw new IOException(e);
        }
    }

    /// Whether nothing of `coded` stands behind its end, which the decoder does not see when its buffer was filled by
    /// the last bytes to the brim: it has not asked for more then. With one byte less it does.
    private static boolean needsLastByte(byte[] coded) {
        try {
            decode(new Source(coded, coded.length - 1), (_, _, _) -> {});
            return false;
        } catch (IOException e) {
            return !isBehindEnd(e);
        }
    }

    private static boolean isBehindEnd(IOException e) {
        Throwable cause = e.getCause();
        return cause != null && BEHIND_END.equals(cause.getMessage());
    }
}
