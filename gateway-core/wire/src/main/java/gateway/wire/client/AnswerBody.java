package gateway.wire.client;

import gateway.http.BodyTooLargeException;
import gateway.http.FailureReason;
import gateway.http.UpstreamException;
import gateway.wire.http1.MalformedResponseException;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The body of an answer, whichever HTTP brings it: whether it is whole or broken, who waits for more of it, and its
/// bytes once somebody has asked for all of them.
abstract sealed class AnswerBody implements StreamedBody, BodyGathering.Source permits UpstreamBody, Http2Body {
    private final long length;
    private boolean ended;
    private boolean upstreamFailed;
    private boolean late;
    private @Nullable IOException broken;
    private @Nullable Runnable more;
    private byte @Nullable [] held;
    private @Nullable AnswerAhead ahead;

    /// @param length -1 when not known
    AnswerBody(long length) {
        this.length = length;
    }

    /// What brings it.
    abstract WireCall call();

    /// Bytes as they come: [#next] without what was read ahead.
    abstract @Nullable ByteBuffer piece(Runnable more) throws IOException;

    @Override
    public final @Nullable ByteBuffer next(Runnable then) throws IOException {
        ByteBuffer early = ahead == null ? null : ahead.content();
        return early == null ? piece(then) : early;
    }

    @Override
    public final void readAhead(int most) {
        if (ahead != null || ended || broken != null) return;
        ahead = new AnswerAhead(this, call().client.bodies(), most);
        ahead.run();
    }

    /// Trailer fields as they came, once ended; null or empty when there were none.
    abstract @Nullable HeaderMap receivedTrailers();

    /// @throws IOException what broke it, if it is broken
    final void requireUnbroken() throws IOException {
        if (broken != null) throw broken;
    }

    /// All of it has been taken.
    final void markEnded() {
        ended = true;
    }

    /// `then` is told when there is more, or it breaks.
    final void awaitMore(Runnable then) {
        more = then;
    }

    /// Tells whoever waits; false when nobody does.
    final boolean arrived() {
        Runnable waiting = more;
        if (waiting == null) return false;
        more = null;
        waiting.run();
        return true;
    }

    /// From now on the body is broken and its call over; whoever waits for it is told.
    ///
    /// @param byUpstream whether by the upstream's doing
    /// @return `why`
    final IOException breakOff(IOException why, boolean byUpstream) {
        if (broken == null) {
            broken = why;
            upstreamFailed = byUpstream;
            call().over();
        }
        arrived();
        return why;
    }

    /// The time for all of it is over: the upstream's fault only where somebody waits for more.
    final void late() {
        late = true;
        breakOff(new IOException("the upstream took too long"), more != null);
    }

    /// Nobody wants it any more, nor is told, but for a request thread that waits for all of it.
    final void abandon() {
        if (broken == null) broken = new IOException("nobody wants the rest");
        if (more instanceof BodyGathering) arrived();
    }

    @Override
    public final boolean ended() {
        return ended;
    }

    @Override
    public final boolean broken() {
        return broken != null;
    }

    @Override
    public final boolean upstreamFailed() {
        return upstreamFailed;
    }

    @Override
    public final @Nullable UpstreamException failure() {
        return late || upstreamFailed ? brokenOff() : null;
    }

    @Override
    public final @Nullable HeaderMap trailers() {
        HeaderMap fields = receivedTrailers();
        return fields == null ? null : AnswerTrailers.passed(fields);
    }

    @Override
    public final OptionalLong length() {
        if (held != null) return OptionalLong.of(held.length);
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }

    @Override
    public final byte[] bytes(long max) {
        if (held == null) {
            if (length > max) throw new BodyTooLargeException(max);
            held = gathered(max);
        }
        if (held.length > max) throw new BodyTooLargeException(max);
        return held;
    }

    /// What was taken of a larger one goes ahead of the rest then: somebody may let it pass all the same.
    private byte[] gathered(long max) {
        var gathering = new BodyGathering(this, call().client, length, max);
        try {
            return gathering.await();
        } catch (BodyTooLargeException e) {
            if (gathering.size() > 0)
                ahead = new AnswerAhead(this, call().client.bodies(), gathering.taken());
            throw e;
        }
    }

    @Override
    public final boolean moveTo(BodyGathering to) throws IOException {
        ByteBuffer content = next(to);
        while (content != null) {
            to.add(content);
            content = next(to);
        }
        return ended;
    }

    @Override
    public final UpstreamException brokenOff() {
        if (late) return new UpstreamException(FailureReason.TIMEOUT, "the upstream took too long");
        FailureReason reason =
                broken instanceof MalformedResponseException ? FailureReason.MALFORMED : FailureReason.BROKEN;
        return new UpstreamException(reason, "the upstream broke off");
    }
}
