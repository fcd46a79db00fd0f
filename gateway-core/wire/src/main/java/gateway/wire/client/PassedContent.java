package gateway.wire.client;

import gateway.http.PassingBody;
import gateway.http.PieceChangeException;
import java.nio.ByteBuffer;

/// Leads what a client sends past the policies that stand on its way: each byte once, as it is read. Used on the IO
/// thread.
final class PassedContent {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final PassingBody body;
    private ByteBuffer made = NOTHING; // what they have made, and nobody has taken yet
    private boolean passed;
    private boolean ended;
    private long handed;

    PassedContent(PassingBody body) {
        this.body = body;
    }

    /// Whether other bytes go on than come.
    boolean changes() {
        return body.changes();
    }

    /// Bytes that were handed out.
    long handed() {
        return handed;
    }

    /// Whether all of it has gone past and is handed out; of what is changed, and goes out without a length, only once
    /// its end was read.
    boolean ended() {
        return ended;
    }

    /// Whether nothing has gone past, not even the end.
    boolean isUntouched() {
        return !passed;
    }

    /// Like [BodySource#read].
    int read(BodySource source, ByteBuffer into) {
        int begin = into.position();
        try {
            if (changes()) change(source, into);
            else watch(source, into);
        } catch (PieceChangeException e) {
            source.broke(e);
            return -1;
        }
        int count = into.position() - begin;
        handed += count;
        boolean all = passed && !made.hasRemaining();
        ended = all && (count == 0 || !changes());
        return count == 0 && all ? -1 : count;
    }

    private void watch(BodySource source, ByteBuffer into) {
        int begin = into.position();
        source.arrive(into);
        int count = into.position() - begin;
        if (count > 0) body.pass(into.slice(begin, count));
        if (source.arrived()) complete();
    }

    /// What comes is read into the taker's own buffer, and what is made of it takes its place.
    private void change(BodySource source, ByteBuffer into) {
        while (into.hasRemaining()) {
            if (made.hasRemaining()) {
                hand(into);
            } else if (passed) {
                return;
            } else if (source.arrived()) {
                complete();
            } else if (!next(source, into)) {
                return;
            }
        }
    }

    /// False when nothing is here.
    private boolean next(BodySource source, ByteBuffer into) {
        int begin = into.position();
        int count = source.arrive(into);
        if (count > 0) {
            made = body.pass(into.slice(begin, count));
            into.position(begin);
            return true;
        }
        if (source.arrived()) return true;
        if (count == 0) made = body.pause();
        return made.hasRemaining();
    }

    private void hand(ByteBuffer into) {
        int count = Math.min(made.remaining(), into.remaining());
        into.put(into.position(), made, made.position(), count).position(into.position() + count);
        made.position(made.position() + count);
    }

    private void complete() {
        if (passed) return;
        passed = true;
        made = body.complete();
    }
}
