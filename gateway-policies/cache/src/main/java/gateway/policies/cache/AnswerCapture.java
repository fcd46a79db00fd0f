package gateway.policies.cache;

import gateway.http.Body;
import gateway.http.BodyMemory;
import gateway.http.HeldBody;
import gateway.http.PieceWatch;
import gateway.http.UpstreamException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/// Copies an answer while it goes to its client, as far as it is not too large and there is memory. Used by one thread
/// at a time.
final class AnswerCapture implements PieceWatch {
    private static final int FIRST = 4 * 1024;

    private final BodyMemory memory;
    private final CopyRoom copies;
    private final long most;
    private final Consumer<HeldBody> whole;
    private final Runnable outgrown;
    private final Runnable unkept;
    private final Runnable failed;
    private final long room; // as much as comes, as far as that is known
    private byte[] bytes = Body.EMPTY.content();
    private int size;
    private int taken;
    private boolean over;

    /// @param expected bytes, as far as that is known
    /// @param whole is told of all of it, once it has come; or else one of the others is, as soon as that is known
    /// @param outgrown is told that it is too large
    /// @param unkept is told that it finds no room
    /// @param failed is told that it has broken off
    AnswerCapture(
            BodyMemory memory,
            CopyRoom copies,
            long expected,
            long most,
            Consumer<HeldBody> whole,
            Runnable outgrown,
            Runnable unkept,
            Runnable failed) {
        this.memory = memory;
        this.copies = copies;
        this.most = most;
        this.whole = whole;
        this.outgrown = outgrown;
        this.unkept = unkept;
        this.failed = failed;
        this.room = expected > 0 && expected <= most ? expected : most;
    }

    @Override
    public void piece(ByteBuffer piece) {
        if (over) return;
        int count = piece.remaining();
        long needed = size + (long) count;
        if (needed > most) {
            end(outgrown);
            return;
        }
        if (needed > bytes.length) grow((int) Math.max(needed, Math.min(room, Math.max(FIRST, 2L * bytes.length))));
        if (over) return;
        piece.get(bytes, size, count);
        size += count;
    }

    private void grow(int length) {
        int more = length - bytes.length;
        if (!copies.take(more)) {
            end(unkept);
            return;
        }
        taken += more;
        try {
            memory.hold(more);
            bytes = Arrays.copyOf(bytes, length);
        } catch (UpstreamException e) { // the budget for bodies is spent: the answer goes on, and is not kept
            end(unkept);
        }
    }

    /// The request is over, and with it what it held.
    void giveBack() {
        copies.giveBack(taken);
        taken = 0;
    }

    @Override
    public void complete() {
        if (over) return;
        over = true;
        whole.accept(Body.of(size == bytes.length ? bytes : Arrays.copyOf(bytes, size)));
        bytes = Body.EMPTY.content();
    }

    @Override
    public void broken() {
        if (!over) end(failed);
    }

    private void end(Runnable told) {
        over = true;
        bytes = Body.EMPTY.content();
        told.run();
    }
}
