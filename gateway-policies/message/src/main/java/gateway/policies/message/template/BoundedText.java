package gateway.policies.message.template;

import gateway.http.BodyMemory;
import gateway.policies.message.BoundReachedException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/// Text that gets no longer than it may, in the memory for bodies.
final class BoundedText extends Writer {
    private static final int PIECE = 4 << 10; // bytes of memory that are taken at a time
    private static final int COPIES = 3; // of a character: two bytes here, and one at least as sent

    private final long most;
    private final BodyMemory memory;
    private final StringBuilder text = new StringBuilder();
    private long taken;

    /// @param most characters
    BoundedText(long most, BodyMemory memory) {
        this.most = most;
        this.memory = memory;
    }

    @Override
    public void write(char[] characters, int from, int length) {
        grow(length);
        text.append(characters, from, length);
    }

    @Override
    public void write(String more, int from, int length) {
        grow(length);
        text.append(more, from, from + length);
    }

    private void grow(int length) {
        long after = (long) text.length() + length;
        if (after > most) throw new BoundReachedException("at most " + most + " bytes to come of it");
        if (after * COPIES <= taken) return;
        long more = Math.max(PIECE, after * COPIES - taken);
        memory.hold(more);
        taken += more;
    }

    /// @throws BoundReachedException when it is too much
    byte[] bytes() {
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > most) throw new BoundReachedException("at most " + most + " bytes to come of it");
        return bytes;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
