package gateway.policies.message.xslt;

import java.io.ByteArrayOutputStream;

/// What comes of one transformation. Used by one thread.
final class BoundedOutput extends ByteArrayOutputStream {
    private final long most;
    private boolean full;

    /// Ends a transformation from within.
    static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1;

        FullException() {
            super("no more is taken", null, false, false);
        }
    }

    /// @param most bytes that it takes
    BoundedOutput(long most) {
        this.most = most;
    }

    @Override
    public void write(int octet) {
        require(1);
        super.write(octet);
    }

    @Override
    public void write(byte[] octets, int from, int length) {
        require(length);
        super.write(octets, from, length);
    }

    private void require(int more) {
        if (size() + (long) more <= most) return;
        full = true;
        throw new FullException();
    }

    /// Whether more came than it takes.
    boolean isFull() {
        return full;
    }
}
