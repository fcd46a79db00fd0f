package gateway.app.traffic;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/// Takes whole lines.
interface LineOutput extends Closeable {
    /// Writes all of the first `length` bytes, or nothing when it throws.
    void write(byte[] lines, int length, long nowNanos) throws IOException;

    /// Does what is due.
    default void turn(long nowNanos) throws IOException {}

    /// Writes to `stream`, which stays open.
    static LineOutput to(OutputStream stream) {
        return new LineOutput() {
            @Override
            public void write(byte[] lines, int length, long nowNanos) throws IOException {
                stream.write(lines, 0, length);
                stream.flush();
            }

            @Override
            public void close() throws IOException {
                stream.flush();
            }
        };
    }
}
