package gateway.http;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Inflates streams that lie behind each other in one array. Holds memory of the system until it is closed.
final class Inflation implements AutoCloseable {
    private final byte[] coded;
    private final PlainBytes plain;
    private final Inflater inflater;
    private final byte[] piece = new byte[8 * 1024];
    private final CRC32 sum = new CRC32();

    /// @param bare without header and sum of zlib
    Inflation(byte[] coded, PlainBytes plain, boolean bare) {
        this.coded = coded;
        this.plain = plain;
        this.inflater = new Inflater(bare);
    }

    /// Undoes the stream that begins at `start`; answers where it ends.
    int undo(int start) throws IOException {
        inflater.reset();
        sum.reset();
        inflater.setInput(coded, start, coded.length - start);
        try {
            while (!inflater.finished()) {
                int count = inflater.inflate(piece);
                if (count == 0 && !inflater.finished()) throw new IOException(stuck());
                plain.add(piece, 0, count);
                sum.update(piece, 0, count);
            }
        } catch (DataFormatException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
        return coded.length - inflater.getRemaining();
    }

    private String stuck() {
        return inflater.needsDictionary() ? "it needs a dictionary" : "it is cut off";
    }

    /// CRC-32 of the stream undone last.
    long sum() {
        return sum.getValue();
    }

    /// Its bytes once undone, modulo 2³².
    long size() {
        return inflater.getBytesWritten() & 0xffff_ffffL;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
