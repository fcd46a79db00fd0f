package gateway.wire.tunnel;

import java.nio.ByteBuffer;

/// Where the frames of a WebSocket begin and end (RFC 6455 §5.2), as far as its bytes have passed in one direction.
/// Heads are followed, content is stepped over unread. What are no frames leave it inside one, mostly for ever.
public final class FrameBorders {
    private static final int CLOSE = 0x8;
    private static final int OPCODE = 0x0f;
    private static final int LENGTH = 0x7f;
    private static final int TWO_MORE = 126;
    private static final int EIGHT_MORE = 127;
    private static final int MASK_BYTES = 4;

    private long left; // of the content
    private long length;
    private int head; // bytes of it so far
    private int extended; // bytes of it that say the length, behind the second
    private int whole; // bytes of it
    private int opcode;
    private boolean closed;

    public FrameBorders() {}

    private FrameBorders(FrameBorders other) {
        left = other.left;
        length = other.length;
        head = other.head;
        extended = other.extended;
        whole = other.whole;
    }

    /// Whether no frame is under way.
    public boolean between() {
        return left == 0 && head == 0;
    }

    /// Whether a close frame has passed, behind which none may follow.
    public boolean closed() {
        return closed;
    }

    /// The bytes of `bytes` in `from` to `to` have passed.
    public void follow(ByteBuffer bytes, int from, int to) {
        int at = from;
        while (at < to) at = step(bytes, at, to);
    }

    /// Where in `from` to `to` the frame that is under way ends, or else `to`.
    public int end(ByteBuffer bytes, int from, int to) {
        var ahead = new FrameBorders(this);
        int at = from;
        do at = ahead.step(bytes, at, to);
        while (at < to && !ahead.between());
        return at;
    }

    /// As far as to the end of the head or of the content that is under way.
    private int step(ByteBuffer bytes, int from, int to) {
        if (left > 0) {
            int count = (int) Math.min(left, to - from);
            left -= count;
            return from + count;
        }
        for (int at = from; at < to; ) {
            if (!head(bytes.get(at++))) continue;
            head = 0;
            left = length < 0 ? Long.MAX_VALUE : length;
            closed |= opcode == CLOSE;
            return at;
        }
        return to;
    }

    /// One more byte of the head; answers whether it is the last.
    private boolean head(byte next) {
        int at = head++;
        if (at == 0) {
            opcode = next & OPCODE;
            return false;
        }
        if (at == 1) {
            int told = next & LENGTH;
            extended = told == EIGHT_MORE ? 8 : told == TWO_MORE ? 2 : 0;
            length = extended == 0 ? told : 0;
            whole = 2 + extended + (next < 0 ? MASK_BYTES : 0);
        } else if (at < 2 + extended) {
            length = length << 8 | (next & 0xff);
        }
        return head == whole;
    }
}
