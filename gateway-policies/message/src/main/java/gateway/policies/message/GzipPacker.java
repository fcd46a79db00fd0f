package gateway.policies.message;

import gateway.http.PieceOutput;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// One member of gzip (RFC 1952), by the JDK.
final class GzipPacker implements Packer {
    /// Bytes that zlib takes for its window and tables (zconf.h), and what is made of them here.
    static final int MEMORY = 264 * 1024 + 8 * 1024;

    private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int TRAILER = 8;
    private static final int BEST = 6; // beyond, it takes far longer and hardly packs better

    private final Deflater deflater;
    private final CRC32 sum = new CRC32();
    private final byte[] made = new byte[8 * 1024];
    private boolean begun;

    GzipPacker(int level) {
        this.deflater = new Deflater(Math.min(level, BEST), true);
    }

    @Override
    public void add(ByteBuffer piece, PieceOutput to) {
        begin(to);
        sum.update(piece.duplicate());
        deflater.setInput(piece.duplicate()); // kept there: whose buffer it is uses it again
        while (!deflater.needsInput()) make(Deflater.NO_FLUSH, to);
    }

    @Override
    public void flush(PieceOutput to) {
        while (make(Deflater.SYNC_FLUSH, to) == made.length) {} // it was full: there may be more
    }

    @Override
    public void finish(PieceOutput to) {
        begin(to);
        deflater.finish();
        while (!deflater.finished()) make(Deflater.NO_FLUSH, to);
        ByteBuffer trailer = ByteBuffer.allocate(TRAILER)
                .putInt(Integer.reverseBytes((int) sum.getValue()))
                .putInt(Integer.reverseBytes((int) deflater.getBytesRead()));
        to.add(trailer.flip());
    }

    @Override
    public void close() {
        deflater.end();
    }

    private void begin(PieceOutput to) {
        if (!begun) to.add(HEAD, 0, HEAD.length);
        begun = true;
    }

    private int make(int flush, PieceOutput to) {
        int count = deflater.deflate(made, 0, made.length, flush);
        to.add(made, 0, count);
        return count;
    }
}
