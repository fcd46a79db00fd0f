package gateway.app.proxy;

import gateway.wire.client.IoThreadResources;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Kind;
import gateway.wire.tunnel.FrameBorders;
import gateway.wire.tunnel.TunnelEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One direction of a tunnel: reads no more than one buffer ahead of what the other end takes, and holds no buffer
/// while nothing is under way. What the other end does not take waits on the heap in its size. Asked to, it takes leave
/// of the other end between two frames. Used on the IO thread alone.
final class TunnelDirection implements Runnable {
    private static final int ROUNDS = 16; // then others have their turn

    private final Tunnel tunnel;
    private final IoThreadResources ioThread;
    private final TunnelEnd from;
    private final TunnelEnd to;
    private final Passed passed;
    private final Supplier<ByteBuffer> farewell;
    private final FrameBorders borders = new FrameBorders();
    private final Holding aside;
    private @Nullable ByteBuffer held;
    private @Nullable ByteBuffer head;
    private boolean ended;
    private boolean dropping;
    private boolean leaving;
    private boolean left;
    private boolean over;
    private boolean stuck;

    /// Told of bytes that the other end has taken: `count` in `bytes` at `start`.
    interface Passed {
        void passed(ByteBuffer bytes, int start, int count);
    }

    /// @param farewell the frame by which to take leave
    TunnelDirection(
            Tunnel tunnel,
            IoThreadResources ioThread,
            TunnelEnd from,
            TunnelEnd to,
            Passed passed,
            Supplier<ByteBuffer> farewell) {
        this.tunnel = tunnel;
        this.ioThread = ioThread;
        this.aside = new Holding(ioThread.purse(Kind.FRAMES));
        this.from = from;
        this.to = to;
        this.passed = passed;
        this.farewell = farewell;
    }

    /// Begins; `first` goes ahead of everything and is not counted.
    void begin(@Nullable ByteBuffer first) {
        head = first;
        run();
    }

    boolean isOver() {
        return over;
    }

    /// Whether the other end takes no more for now, be it that nothing is held for it.
    boolean isStuck() {
        return !over && stuck;
    }

    /// Takes leave of the other end once no frame is under way to it, and reads the rest away.
    void leave() {
        if (over) return;
        leaving = true;
        run();
    }

    /// Moves on as far as both ends let it.
    @Override
    public void run() {
        try {
            move();
        } catch (RuntimeException e) {
            tunnel.failed(e);
        }
    }

    private void move() {
        stuck = false;
        for (int round = 0; round < ROUNDS && !over; round++) {
            if (mayLeave()) takeLeave();
            if (head != null && !sendHead(head)) return;
            if (left && !dropping && !finished()) return;
            if (held == null && !ended && !fill()) return;
            if (over) return; // reading may close both, and with them this
            if (held != null && !drain(held)) return;
            if (ended) {
                finish();
                return;
            }
        }
        if (over) return;
        stuck = true;
        to.watchWrites(true); // a task that posts itself would leave no other socket a turn
    }

    /// The tunnel is closed: nothing more is read or written.
    void stop() {
        over = true;
        giveBack();
        from.watchReads(false);
        to.watchWrites(false);
    }

    private boolean mayLeave() {
        return leaving && !ended && !dropping && head == null && borders.between();
    }

    /// Nothing may follow a close frame, be it one that has passed.
    private void takeLeave() {
        leaving = false;
        left = true;
        giveBack();
        if (!borders.closed()) head = farewell.get();
    }

    private boolean sendHead(ByteBuffer first) {
        int count = write(first);
        if (count < 0) return false;
        if (first.hasRemaining()) {
            awaitTaker();
            return false;
        }
        head = null;
        return true;
    }

    /// The next piece; false when none is there yet.
    private boolean fill() {
        ByteBuffer buffer = ioThread.buffers().take();
        held = buffer;
        int count;
        try {
            count = from.read(buffer);
        } catch (IOException e) {
            giveBack();
            tunnel.broke(this);
            return false;
        }
        buffer.flip();
        if (count > 0) {
            tunnel.moved();
            return true;
        }
        giveBack();
        if (count < 0) {
            ended = true;
            return true;
        }
        to.watchWrites(false);
        from.watchReads(true);
        return false;
    }

    /// Whether all of `buffer` has gone on, or is of no use any more.
    private boolean drain(ByteBuffer buffer) {
        if (!dropping) {
            int start = buffer.position();
            int end = buffer.limit();
            if (leaving) buffer.limit(borders.end(buffer, start, end));
            int count = write(buffer);
            if (over) return false;
            buffer.limit(end);
            if (count > 0) {
                borders.follow(buffer, start, start + count);
                passed.passed(buffer, start, count);
            }
            if (mayLeave()) return true; // the rest goes nowhere
            if (!dropping && buffer.hasRemaining()) {
                awaitTaker();
                return false;
            }
        }
        giveBack();
        return true;
    }

    /// What the other end takes of `buffer` now; -1 when it takes nothing more ever.
    private int write(ByteBuffer buffer) {
        int start = buffer.position();
        try {
            while (buffer.hasRemaining() && to.write(buffer) > 0) tunnel.moved();
            return buffer.position() - start;
        } catch (IOException e) {
            refused();
            return -1;
        }
    }

    /// What the one end still says, the other does not hear: it is read away, so that the way back may end in order.
    private void refused() {
        dropping = true;
        head = null;
        tunnel.linger();
    }

    private void awaitTaker() {
        stuck = true;
        from.watchReads(false);
        to.watchWrites(true);
        if (held != null && aside.bytes() == 0) setAside(held);
    }

    private void setAside(ByteBuffer buffer) {
        if (!aside.hold(buffer.remaining())) {
            tunnel.close();
            return;
        }
        held = ByteBuffer.allocate(buffer.remaining()).put(buffer).flip();
        ioThread.buffers().giveBack(buffer);
    }

    private void finish() {
        from.watchReads(false);
        if (!dropping && !finished()) return;
        over = true;
        to.watchWrites(false);
        tunnel.ended();
    }

    /// Whether the other end has been told that nothing more comes, or need not be.
    private boolean finished() {
        try {
            dropping = to.finish();
        } catch (IOException e) {
            dropping = true;
        }
        if (!dropping) awaitTaker();
        return dropping;
    }

    private void giveBack() {
        if (held != null && aside.bytes() == 0) ioThread.buffers().giveBack(held);
        aside.release();
        held = null;
    }
}
