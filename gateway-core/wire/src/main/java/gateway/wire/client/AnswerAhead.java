package gateway.wire.client;

import gateway.wire.memory.Holding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What was read of an answer before its client takes it, in an array of its size. Used on the IO thread.
final class AnswerAhead implements Runnable {
    private static final byte[] EMPTY = {};

    private final AnswerBody body;
    private final Holding memory;
    private final int most;
    private byte[] bytes = EMPTY;
    private int kept;
    private int taken;
    private @Nullable ByteBuffer lent;

    /// @param most bytes to read
    AnswerAhead(AnswerBody body, Holding memory, int most) {
        this.body = body;
        this.memory = memory;
        this.most = most;
    }

    /// What was taken already, in memory that is held for it, and is to be taken once more.
    AnswerAhead(AnswerBody body, Holding memory, byte[] taken) {
        this(body, memory, taken.length);
        bytes = taken;
        kept = taken.length;
    }

    /// Reads what is there, and comes again when there is more.
    @Override
    public void run() {
        try {
            ByteBuffer content = body.piece(this);
            while (content != null && keep(content)) content = body.piece(this);
        } catch (IOException e) {
            // the body is broken from now on, and says so
        }
    }

    /// As much as may be; false when there is room for no more.
    private boolean keep(ByteBuffer content) {
        int count = Math.min(content.remaining(), most - kept);
        if (count == 0 || !memory.hold(memory.bytes() + count)) return false;
        int size = bytes.length;
        bytes = Arrays.copyOf(bytes, size + count);
        content.get(bytes, size, count);
        kept += count;
        return true;
    }

    /// What has not been taken yet, to be taken by moving the position; null when nothing is left.
    @Nullable
    ByteBuffer content() {
        if (lent != null) taken = lent.position();
        lent = null;
        if (taken < bytes.length) lent = ByteBuffer.wrap(bytes, taken, bytes.length - taken);
        else forget();
        return lent;
    }

    private void forget() {
        memory.hold(memory.bytes() - bytes.length);
        bytes = EMPTY;
        taken = 0;
    }
}
