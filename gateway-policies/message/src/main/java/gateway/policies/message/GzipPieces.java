package gateway.policies.message;

import gateway.http.PieceChange;
import gateway.http.PieceOutput;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Packs content as one member of gzip (RFC 1952) while it passes.
final class GzipPieces implements PieceChange {
    /// Bytes that zlib takes for its window and tables (zconf.h), and what is made of them here.
    static final long MEMORY = 264 * 1024 + 8 * 1024;

    private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int TRAILER = 8;
    private static final int MOST_OF_A_PIECE = 40 * 1024; // two blocks that do not pack

    private final boolean flushes;
    private final PackingRoom room;
    private final Deflater deflater;
    private final CRC32 sum = new CRC32();
    private final byte[] made = new byte[8 * 1024];
    private boolean begun;
    private boolean ended;
    private boolean kept; // something has come that has not been flushed

    /// @param flushes whether all that has come goes on when no more is here: somebody may wait for it
    /// @param room where it has a place, which it gives back
    GzipPieces(int level, boolean flushes, PackingRoom room) {
        this.flushes = flushes;
        this.room = room;
        this.deflater = new Deflater(level, true);
    }

    @Override
    public int reserve() {
        return MOST_OF_A_PIECE;
    }

    @Override
    public void piece(ByteBuffer piece, PieceOutput to) {
        begin(to);
        sum.update(piece.duplicate());
        deflater.setInput(piece.duplicate()); // kept there: whose buffer it is uses it again
        while (!deflater.needsInput()) add(Deflater.NO_FLUSH, to);
        kept = true;
    }

    @Override
    public void pause(PieceOutput to) {
        if (!flushes || !kept) return;
        kept = false;
        while (add(Deflater.SYNC_FLUSH, to) == made.length) {} // it was full: there may be more
    }

    @Override
    public void complete(PieceOutput to) {
        begin(to);
        deflater.finish();
        while (!deflater.finished()) add(Deflater.NO_FLUSH, to);
        ByteBuffer trailer = ByteBuffer.allocate(TRAILER)
                .putInt(Integer.reverseBytes((int) sum.getValue()))
                .putInt(Integer.reverseBytes((int) deflater.getBytesRead()));
        to.add(trailer.flip());
        end();
    }

    @Override
    public void broken() {
        end();
    }

    private void end() {
        if (ended) return;
        ended = true;
        deflater.end();
        room.giveBack();
    }

    private void begin(PieceOutput to) {
        if (!begun) to.add(HEAD, 0, HEAD.length);
        begun = true;
    }

    private int add(int flush, PieceOutput to) {
        int count = deflater.deflate(made, 0, made.length, flush);
        to.add(made, 0, count);
        return count;
    }
}
