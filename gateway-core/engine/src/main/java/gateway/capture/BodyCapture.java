package gateway.capture;

import gateway.capture.BodyText.State;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Keeps the first bytes of a body that streams past; belongs to one message. It copies and never holds the stream up,
/// and takes memory only for what has come.
public final class BodyCapture {
    private static final int SMALLEST = 512;
    private static final byte[] NOTHING = {};

    private final BodyRule rule;
    private final String contentType;
    private final BodyRoom room;
    private byte[] bytes = NOTHING;
    private int length;
    private State state;

    private BodyCapture(BodyRule rule, String contentType, State state, BodyRoom room) {
        this.rule = rule;
        this.contentType = contentType;
        this.state = state;
        this.room = room;
    }

    /// @param contentType empty when the message names none
    /// @param contentEncoding likewise
    public static BodyCapture of(BodyRule rule, String contentType, String contentEncoding, BodyRoom room) {
        return new BodyCapture(rule, contentType, expected(rule, contentType, contentEncoding), room);
    }

    private static State expected(BodyRule rule, String contentType, String contentEncoding) {
        if (!contentEncoding.isEmpty() && !contentEncoding.equalsIgnoreCase("identity")) return State.ENCODED;
        return rule.types().admits(contentType) ? State.WHOLE : State.BINARY;
    }

    /// Takes note of `count` bytes that lie in `from` at `start`, whose position and limit stay.
    public void add(ByteBuffer from, int start, int count) {
        if (state != State.WHOLE) return;
        int kept = Math.min(count, rule.most() - length);
        if (kept < count) state = State.TRUNCATED;
        if (kept > bytes.length - length && !grow(length + kept)) return;
        from.get(start, bytes, length, kept);
        length += kept;
    }

    /// Makes room for `count` bytes in all.
    private boolean grow(int count) {
        int size = Math.min(rule.most(), Math.max(Math.max(SMALLEST, count), 2 * bytes.length));
        if (room.take(size - bytes.length)) {
            bytes = Arrays.copyOf(bytes, size);
            return true;
        }
        room.give(bytes.length);
        bytes = NOTHING;
        length = 0;
        state = State.NO_ROOM;
        return false;
    }

    /// The body as far as it has come; its room is now for the taker to give back. To be called once, last.
    ///
    /// @param seen bytes of body that have passed
    /// @param complete whether the message has come to its proper end
    public CapturedBody end(long seen, boolean complete) {
        if (seen == 0) return CapturedBody.NONE;
        State last = state == State.WHOLE && !complete ? State.TRUNCATED : state;
        return new CapturedBody(rule, contentType, last, bytes, length, room);
    }
}
