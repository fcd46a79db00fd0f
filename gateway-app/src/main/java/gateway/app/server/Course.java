package gateway.app.server;

import gateway.app.upstream.UpstreamCall;
import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What has become of a request so far: the call that works for it, how far its answer is, and whether it is over.
final class Course {
    private static final int MOST_INTERIM_BYTES = 64 * 1024;

    private @Nullable UpstreamCall call;
    private @Nullable Runnable atEnd;
    private @Nullable Runnable leave;
    private long upstreamNanos;
    private long tunnelled;
    private int interimBytes;
    private boolean answering;
    private boolean answered;
    private @Nullable Ending cut;
    private long overAt;
    private boolean over;

    /// This call now works for the request; one that did before does no longer.
    void calling(UpstreamCall next) {
        UpstreamCall before = call;
        call = next;
        if (before != null) before.cancel();
        if (over) next.cancel();
    }

    /// Whether any call has worked for the request.
    boolean hasCalled() {
        return call != null;
    }

    /// The request waits before it is sent; `next` lets it wait no longer once it is over.
    void waiting(Runnable next) {
        leave = next;
        if (over) next.run();
    }

    /// Lets go of the upstream that is at work.
    void cancelCall() {
        if (call != null) call.cancel();
    }

    /// Where the last call went; empty when there was none.
    String upstream() {
        return call == null ? "" : call.location();
    }

    void upstreamTook(long nanos) {
        upstreamNanos = nanos;
    }

    /// How long the upstream took to its response head.
    long upstreamNanos() {
        return upstreamNanos;
    }

    /// The final response begins: no interim one may follow.
    void answering() {
        answering = true;
    }

    boolean isAnswering() {
        return answering;
    }

    /// Its last byte has left.
    void answered() {
        answered = true;
    }

    boolean isAnswered() {
        return answered;
    }

    /// The request does not come to its proper end, and `why` is the reason; the first one counts.
    void cut(Ending why) {
        if (cut == null) cut = why;
    }

    /// Sends an interim response, unless the final one has begun. A client that does not read makes them wait in
    /// memory, so they are bounded.
    ///
    /// @param known whether the client knows of interim responses; they count all the same
    /// @return false when there have been too many for one request
    boolean sendInterim(ByteBuffer head, ClientConnection to, boolean known) {
        if (over || answering) return true;
        interimBytes += head.remaining();
        if (interimBytes > MOST_INTERIM_BYTES) return false;
        if (known) to.sendInterim(head);
        return true;
    }

    /// `count` bytes went to the client behind `101`.
    void tunnelled(int count) {
        tunnelled += count;
    }

    long tunnelled() {
        return tunnelled;
    }

    /// Runs `work` on the IO thread when the request is over, unless it is already.
    void onEnd(Runnable work) {
        atEnd = work;
    }

    /// What has become of a request that is over, or has turned into a tunnel. Where no answer had begun, Undertow's
    /// status is not the client's, nor are the fields that an upstream may have given.
    ///
    /// @param startedAt when the request began, by [System#nanoTime]
    Outcome outcome(HttpServerExchange undertow, long startedAt) {
        long total = (overAt == 0 ? System.nanoTime() : overAt) - startedAt;
        Ending ending = cut == null ? Ending.COMPLETE : cut;
        if (answering || answered)
            return new Outcome(undertow.getStatusCode(), ending, upstreamNanos, total, Grpc.status(undertow));
        undertow.getResponseHeaders().clear();
        return new Outcome(ending.unanswered(), ending, upstreamNanos, total);
    }

    /// The exchange with the client is over.
    void end() {
        overAt = System.nanoTime();
        giveUp();
    }

    /// Whatever still works for the request stops.
    void giveUp() {
        over = true;
        if (leave != null) leave.run();
        cancelCall();
        if (atEnd != null) atEnd.run();
    }
}
