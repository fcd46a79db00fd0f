package gateway.policies.message;

import com.aayushatharva.brotli4j.encoder.Encoder;
import com.aayushatharva.brotli4j.encoder.EncoderJNI;
import com.aayushatharva.brotli4j.encoder.EncoderJNI.Operation;
import gateway.http.PieceOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/// Brotli (RFC 7932), by the encoder of its own makers, with a window of 64 KiB.
final class BrotliPacker implements Packer {
    /// Bytes that the encoder takes at most for its window, its tables and what is on its way, at this window and as
    /// far as this quality: 1.8 MiB as counted by the C library, and the buffer that it reads.
    static final int MEMORY = 2 * 1024 * 1024;

    private static final int WINDOW = 16; // its logarithm; from 17 on it takes two to ten times the memory
    private static final int BEST = 8; // at 9 it takes half as much again
    private static final int INPUT = 16 * 1024;

    private final EncoderJNI.Wrapper encoder;

    /// @param level 1 to 9
    BrotliPacker(int level) {
        try {
            encoder = new EncoderJNI.Wrapper(INPUT, Math.min(level, BEST), WINDOW, Encoder.Mode.GENERIC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void add(ByteBuffer piece, PieceOutput to) {
        for (int at = piece.position(); at < piece.limit(); ) {
            ByteBuffer input = encoder.getInputBuffer().clear();
            int count = Math.min(input.remaining(), piece.limit() - at);
            input.put(0, piece, at, count);
            run(Operation.PROCESS, count, to);
            at += count;
        }
    }

    @Override
    public void flush(PieceOutput to) {
        run(Operation.FLUSH, 0, to);
    }

    @Override
    public void finish(PieceOutput to) {
        run(Operation.FINISH, 0, to);
    }

    private void run(Operation operation, int count, PieceOutput to) {
        encoder.push(operation, count);
        while (true) {
            if (!encoder.isSuccess()) throw new IllegalStateException("the encoder of br fails");
            if (encoder.hasMoreOutput()) to.add(encoder.pull());
            else if (encoder.hasRemainingInput()) encoder.push(operation, 0);
            else return;
        }
    }

    @Override
    public void close() {
        encoder.destroy();
    }
}
