package gateway.wire.client;

import gateway.http.Headers;
import gateway.http.UpstreamWaiter;
import gateway.wire.io.HttpVersion;
import gateway.wire.memory.Holding;
import io.undertow.util.HeaderMap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Who waits for an upstream's answer, as the upstream client needs it: its place on the IO thread, the storage of both
/// heads' fields, and what is told to the client meanwhile.
public interface ClientSide extends UpstreamWaiter {
    /// The client's side that the data plane has handed to the pipeline. What one snapshot serves is made by one
    /// process, so that every waiter is one; here alone that is taken for granted.
    static ClientSide of(UpstreamWaiter waiter) {
        if (waiter instanceof ClientSide side) return side;
        throw new IllegalArgumentException("nobody waits on an IO thread");
    }

    IoThreadResources ioThread();

    /// Runs `work` on the IO thread: at the end of the request thread's present turn, or posted there from elsewhere.
    void onIoThread(Runnable work);

    /// End-to-end fields of the request, those of [gateway.http.Outgoing#headers]; `Content-Length` and `Expect` as
    /// sent.
    HeaderMap requestFields();

    /// The version by which the request came, when its upstream is to be told by `Via`; null when it is not.
    default @Nullable HttpVersion via() {
        return null;
    }

    /// Where the fields of the response go.
    HeaderMap responseFields();

    /// What the client sends as body.
    SentContent content();

    /// What is held of the bodies draws on it, until the request is over. On the IO thread.
    Holding bodies();

    /// Trailer fields of the request once its body has ended, unless that was replaced.
    @Nullable
    HeaderMap requestTrailers();

    /// Lets a client that waits for `100 Continue` send its body.
    void sendContinue();

    /// Sends an interim response (1xx) to the client, when it speaks HTTP/1.1 and the final one has not begun.
    ///
    /// @return false when there have been too many for one request
    boolean sendInterim(ByteBuffer head);

    /// [#responseFields] as policies see them.
    Headers responseHeaders();

    /// The whole request is with the upstream: from now on the client's departure is to be noticed.
    void awaitingAnswer();

    /// The request is on its way over HTTP/2: when it is a call of gRPC, both sides may pause in it for as long as the
    /// call may take, the client's silence is no fault any more.
    default void mayPause() {}

    /// The request waits before it is sent; `leave` is run when the request ends meanwhile, at once when it is over.
    /// On the IO thread.
    void waiting(Runnable leave);

    /// The WebSocket handshake that the request is; null for all other requests.
    @Nullable
    Handshake handshake();

    /// How long the upstream took to its response head.
    void upstreamTook(long nanos);

    /// This call now works for the request; it is cancelled when the request ends before it.
    void calling(UpstreamCall call);
}
