package gateway.policies.message;

import gateway.http.BodyMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// What comes of one message. Used by one thread.
public final class BoundedOutput extends OutputStream {
    private static final long STEP = 16 * 1024; // bytes that memory is asked for at once
    private static final int COPIES = 3; // while it grows, and when it is taken out

    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final long most;
    private final BodyMemory memory;
    private long held;
    private boolean full;

    /// @param most bytes that it takes
    /// @param memory told of more than these, before they are there
    public BoundedOutput(long most, BodyMemory memory) {
        this.most = most;
        this.memory = memory;
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
        long size = taken.size() + (long) more;
        if (size > most) {
            full = true;
            throw new IOException("no more is taken");
        }
        if (size <= held) return;
        long next = Math.max(STEP, size - held);
        memory.hold(COPIES * next);
        held += next;
    }

    /// Whether more came than it takes.
    public boolean isFull() {
        return full;
    }

    public byte[] bytes() {
        return taken.toByteArray();
    }
}
