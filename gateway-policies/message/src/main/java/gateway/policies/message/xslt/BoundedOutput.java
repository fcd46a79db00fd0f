package gateway.policies.message.xslt;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// What comes of one transformation. Used by one thread.
final class BoundedOutput extends OutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final long most;
    private boolean full;

    /// @param most bytes that it takes
    BoundedOutput(long most) {
        this.most = most;
    }

    /// @throws IOException when that is more than it takes
    @Override
    public void write(int octet) throws IOException {
        require(1);
        taken.write(octet);
    }

    /// @throws IOException when that is more than it takes
    @Override
    public void write(byte[] octets, int from, int length) throws IOException {
        require(length);
        taken.write(octets, from, length);
    }

    private void require(int more) throws IOException {
        if (taken.size() + (long) more <= most) return;
        full = true;
        throw new IOException("no more is taken");
    }

    /// Whether more came than it takes.
    boolean isFull() {
        return full;
    }

    byte[] bytes() {
        return taken.toByteArray();
    }
}
