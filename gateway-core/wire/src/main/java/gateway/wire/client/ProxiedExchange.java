package gateway.wire.client;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.wire.memory.Holding;
import io.undertow.util.HeaderMap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// An exchange as the upstream client needs it: the same request as policies see, and its place on the IO thread.
public interface ProxiedExchange extends Exchange {
    IoThreadResources ioThread();

    /// Runs `work` on the IO thread: at the end of the request thread's present turn, or posted there from elsewhere.
    void onIoThread(Runnable work);

    /// End-to-end fields of the request; `Content-Length` and `Expect` as sent.
    HeaderMap requestFields();

    /// Where the fields of the response go.
    HeaderMap responseFields();

    /// Path and base for the upstream: the raw path, without the API's prefix when that is stripped. Begins with `/`.
    String forwardedPath();

    /// What the client sends as body.
    ProxiedContent content();

    /// What is held of the bodies draws on it, until the exchange is over. On the IO thread.
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

    /// The request waits before it is sent; `leave` is run when the exchange ends meanwhile, at once when it is over.
    /// On the IO thread.
    void waiting(Runnable leave);

    /// The WebSocket handshake that the request is; null for all other requests.
    @Nullable
    Handshake handshake();

    /// How long the upstream took to its response head.
    void upstreamTook(long nanos);

    /// This call now works for the exchange; it is cancelled when the exchange ends before it.
    void calling(UpstreamCall call);
}
