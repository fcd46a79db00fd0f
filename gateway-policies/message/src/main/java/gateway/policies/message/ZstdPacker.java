package gateway.policies.message;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import gateway.http.PieceOutput;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/// One frame of Zstandard (RFC 8878), by the library of its own makers, with a window of 128 KiB: far below the 8 MiB
/// that clients have to take (RFC 9659).
final class ZstdPacker implements Packer {
    /// Bytes that the library takes at most for its window, its tables and what is on its way: 1.4 MiB as counted by
    /// the C library, at any level, since window and tables are bounded here.
    static final int MEMORY = 3 * 512 * 1024;

    private static final int WINDOW = 17; // logarithms, all of them
    private static final int TABLES = 16;

    private final ZstdCompressCtx context;
    private final ZstdBuffers buffers;

    /// @param length of the content, where it is known: tables are smaller for what is short
    ZstdPacker(int level, OptionalLong length, ZstdBuffers buffers) {
        this.buffers = buffers;
        context = new ZstdCompressCtx()
                .setLevel(level)
                .setWindowLog(WINDOW)
                .setHashLog(TABLES)
                .setChainLog(TABLES);
        if (length.isPresent()) context.setPledgedSrcSize(length.getAsLong());
    }

    @Override
    public void add(ByteBuffer piece, PieceOutput to) {
        ZstdBuffers.Pair pair = buffers.take();
        for (int at = piece.position(); at < piece.limit(); ) {
            ByteBuffer from = pair.from().clear();
            int count = Math.min(from.remaining(), piece.limit() - at);
            from.put(0, piece, at, count).limit(count);
            while (from.hasRemaining()) run(EndDirective.CONTINUE, pair, to);
            at += count;
        }
        buffers.giveBack(pair);
    }

    @Override
    public void flush(PieceOutput to) {
        runAll(EndDirective.FLUSH, to);
    }

    @Override
    public void finish(PieceOutput to) {
        runAll(EndDirective.END, to);
    }

    private void runAll(EndDirective directive, PieceOutput to) {
        ZstdBuffers.Pair pair = buffers.take();
        pair.from().clear().limit(0);
        while (!run(directive, pair, to)) {} // there is more than the buffer holds
        buffers.giveBack(pair);
    }

    /// Whether all has been handed on that is meant to be.
    private boolean run(EndDirective directive, ZstdBuffers.Pair pair, PieceOutput to) {
        ByteBuffer made = pair.made().clear();
        boolean done = context.compressDirectByteBufferStream(made, pair.from(), directive);
        to.add(made.flip());
        return done;
    }

    @Override
    public void close() {
        context.close();
    }
}
