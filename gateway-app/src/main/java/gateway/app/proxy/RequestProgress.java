package gateway.app.proxy;

import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import gateway.wire.client.UpstreamCall;
import gateway.wire.io.HttpTransaction;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What has become of a request so far: the call that works for it, how far its answer is, and whether it is over.
final class RequestProgress {
    private static final int MOST_INTERIM_BYTES = 64 * 1024;

    private static final long LONG_NANOS = 1_000_000; // more than a request takes that has waited for nothing

    private final long startedAt;
    private @Nullable Place place;
    private @Nullable UpstreamCall call;
    private @Nullable Runnable atEnd;
    private @Nullable Runnable leave;
    private long upstreamNanos;
    private long content;
    private long tunnelled;
    private int interimBytes;
    private boolean headCame;
    private boolean answering;
    private boolean answered;
    private @Nullable Ending cut;
    private long overAt;
    private boolean over;

    /// @param startedAt when the request began, by [System#nanoTime]
    RequestProgress(long startedAt) {
        this.startedAt = startedAt;
    }

    /// Whether the request has been under way for so long that its client may have left.
    boolean hasWaited() {
        return System.nanoTime() - startedAt > LONG_NANOS;
    }

    /// The place that the request may take; one that no policy is asked for takes none.
    void takes(Place one) {
        place = one;
    }

    /// Takes it, maybe after a wait; on the request thread. False when there is none.
    boolean enter() {
        return place == null || place.enter();
    }

    /// Neither the gateway nor the upstream works for the request: its client is awaited.
    ///
    /// @return false when it cannot wait, since too many do
    boolean clientAwaited() {
        return place == null || place.away(mayHoldConnection());
    }

    /// Whether its client has more requests that wait for it, with connections to upstreams, than it may.
    boolean isOneTooMany() {
        return place != null && place.isOneTooMany(mayHoldConnection());
    }

    /// The client has moved, or something else is awaited now.
    void clientMoved() {
        if (place != null) place.back();
    }

    /// Whether the request may wait without its place for a moment, before it is answered.
    boolean pauses() {
        return place != null && place.pauses(holdsConnection());
    }

    /// Once the final response has begun, no call follows.
    private boolean mayHoldConnection() {
        return !answering || holdsConnection();
    }

    private boolean holdsConnection() {
        return call != null && call.holdsConnection();
    }

    /// An API has answered.
    void served() {
        if (place != null) place.served();
    }

    void leavePlace() {
        if (place != null) place.leave();
        place = null;
    }

    /// This call now works for the request; one that did before does no longer.
    void calling(UpstreamCall next) {
        headCame = false;
        UpstreamCall before = call;
        call = next;
        if (before != null) before.cancel();
        if (over) next.cancel();
    }

    /// Whether any call has worked for the request.
    boolean hasCalled() {
        return call != null;
    }

    /// The call that worked for the request last, if the request can be sent once more; null otherwise.
    @Nullable
    UpstreamCall repeatable() {
        return call != null && call.mayFollow(true) ? call : null;
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
        headCame = true;
        clientMoved(); // policies go on, be it that the client is still sending
    }

    /// Whether the head of an upstream's answer is here: what the client does not send holds back the rest alone.
    boolean headCame() {
        return headCame;
    }

    /// How long the upstream took to its response head.
    long upstreamNanos() {
        return upstreamNanos;
    }

    /// The final response begins: no interim one may follow.
    void answering() {
        answering = true;
    }

    /// Its last byte has left.
    void answered() {
        answering = true;
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

    /// `count` bytes of the response's content went to the client.
    void sent(int count) {
        content += count;
    }

    /// Bytes of the response's content that went to the client.
    long content() {
        return content;
    }

    /// All bytes that went to the client as content, or behind `101`.
    long sent() {
        return content + tunnelled;
    }

    /// Runs `work` on the IO thread when the request is over, unless it is already.
    void onEnd(Runnable work) {
        atEnd = work;
    }

    /// What has become of a request that is over, or has turned into a tunnel. Where no answer had begun, the
    /// status is not the client's, nor are the fields that an upstream may have given.
    Outcome outcome(HttpTransaction transaction) {
        long total = (overAt == 0 ? System.nanoTime() : overAt) - startedAt;
        Ending ending = cut == null ? Ending.COMPLETE : cut;
        if (answering) return new Outcome(transaction.status(), ending, upstreamNanos, total, Grpc.status(transaction));
        transaction.responseFields().clear();
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
        if (place != null) place.stopWaiting();
    }
}
