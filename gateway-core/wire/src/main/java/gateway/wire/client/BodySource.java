package gateway.wire.client;

import gateway.http.Body;
import gateway.http.BodyTooLargeException;
import gateway.http.HeldBody;
import gateway.http.PassingBody;
import gateway.http.PieceChangeException;
import gateway.http.UpstreamException;
import gateway.http.UpstreamException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.channels.StreamSourceChannel;

/// The body of a request as its client sends it, read into the buffers of whoever sends it on: counted, held to its
/// limit, and known to have ended as soon as its last byte is here. Used on the IO thread.
final class BodySource implements ChannelListener<StreamSourceChannel>, Runnable {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final byte[] NO_BYTES = {};
    private static final BodySource NONE = new BodySource(SentContent.NONE, null, Taker.NOBODY);

    private final SentContent content;
    private final @Nullable StreamSourceChannel channel;
    private final Taker taker;
    private final @Nullable PassedContent passed; // null: what comes goes on as it is
    private long taken;
    private boolean ended;
    private boolean waits;

    /// Who sends the body on.
    interface Taker {
        /// Of a body that has ended before it began.
        Taker NOBODY = new Taker() {
            @Override
            public void pump() {}

            @Override
            public void bodyFailed(RuntimeException why) {}
        };

        /// More, or the end, is there.
        void pump();

        /// The rest will not come: the client broke off, or has sent more than it may.
        void bodyFailed(RuntimeException why);
    }

    private BodySource(SentContent content, @Nullable StreamSourceChannel channel, Taker taker) {
        this.content = content;
        this.channel = channel;
        this.taker = taker;
        PassingBody passing = channel == null ? null : content.passing();
        this.passed = passing == null ? null : new PassedContent(passing);
        this.ended = channel == null;
        this.waits = channel != null && content.continueDue();
    }

    /// One that has ended already where nothing streams.
    static BodySource of(SentContent content, Taker taker) {
        StreamSourceChannel channel = content.streaming();
        return channel == null ? NONE : new BodySource(content, channel, taker);
    }

    /// What is sent of `body` where nothing streams; often empty. May block until what a policy has made is here, so
    /// the
    /// request's thread asks first.
    static byte[] held(SentContent content, Body body) {
        if (content.streaming() != null) return NO_BYTES;
        return body instanceof HeldBody held ? held.content() : body.bytes(Integer.MAX_VALUE);
    }

    /// Refuses what the client sends, when it is known to be too large, before the upstream is asked. What the gateway
    /// has put in its place is no longer the client's.
    static void checkLength(SentContent content, Body body) {
        if (content.isReplaced() || isChangedHere(content, body)) return;
        long length = content.streaming() == null ? held(content, body).length : content.length();
        if (length > content.limit()) throw new BodyTooLargeException(content.limit());
    }

    private static boolean isChangedHere(SentContent content, Body body) {
        return content.streaming() == null && body instanceof PassingBody passing && passing.changes();
    }

    boolean streams() {
        return channel != null;
    }

    /// Bytes to be sent on; -1 when that is not known.
    long length() {
        return passed != null && passed.changes() ? -1 : content.length();
    }

    /// Bytes that have been handed out.
    long taken() {
        return passed == null ? taken : passed.handed();
    }

    /// Whether nothing has been read, so that another can begin from here.
    boolean isUntouched() {
        return taken == 0 && (passed == null || passed.isUntouched());
    }

    boolean ended() {
        return ended && (passed == null || passed.ended());
    }

    /// Whether the client is not to send before it is told to: by `100 Continue`, which somebody has to ask for.
    boolean waits() {
        return waits;
    }

    /// The client has been told to send; answers whether it waited for that.
    boolean release() {
        boolean waited = waits;
        waits = false;
        return waited;
    }

    /// Takes what fits and is here; answers how much: 0 when nothing is, -1 when nothing will be.
    int read(ByteBuffer into) {
        return passed == null ? arrive(into) : passed.read(this, into);
    }

    /// The same of what the client sends.
    int arrive(ByteBuffer into) {
        int early = channel == null ? 0 : content.early(into);
        int count = early;
        try {
            if (early == 0) count = channel == null ? -1 : channel.read(into);
        } catch (IOException e) {
            taker.bodyFailed(new UpstreamException(Kind.CLIENT_GONE, "the client broke off"));
            return -1;
        }
        if (count < 0) {
            ended = true;
            return count;
        }
        taken += count;
        if (count > early) content.received(into, into.position() - count, count);
        if (taken > content.limit()) {
            taker.bodyFailed(new BodyTooLargeException(content.limit()));
            return -1;
        }
        if (taken == content.length()) end();
        return count == 0 && ended ? -1 : count;
    }

    /// Whether all that the client sends is here.
    boolean arrived() {
        return ended;
    }

    /// The rest is not sent, as what changes it breaks.
    void broke(PieceChangeException why) {
        taker.bodyFailed(why);
    }

    /// The last byte is here: lets the client's side know at once that the request has ended.
    private void end() {
        ended = true;
        try {
            if (channel != null) channel.read(NOTHING);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Tells the taker when there is more.
    void await() {
        if (channel == null) return;
        channel.getReadSetter().set(this);
        channel.resumeReads();
        content.awaits(this);
    }

    /// The taker has no room for more.
    void pause() {
        if (channel == null) return;
        channel.suspendReads();
        content.awaitsNot();
    }

    @Override
    public void handleEvent(StreamSourceChannel with) {
        content.awaitsNot();
        taker.pump();
    }

    /// The client has been awaited for too long.
    @Override
    public void run() {
        taker.bodyFailed(new UpstreamException(Kind.CLIENT_SLOW, "the request did not come whole in time"));
    }

    /// Why there is no answer in time: whoever has to act.
    ///
    /// @param passedOn whether the upstream has all that has come
    UpstreamException late(boolean passedOn) {
        return passedOn && !ended && !waits
                ? new UpstreamException(Kind.CLIENT_SLOW, "the request did not come whole in time")
                : new UpstreamException(Kind.TIMEOUT, "the upstream took too long");
    }
}
