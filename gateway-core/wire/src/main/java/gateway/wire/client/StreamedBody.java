package gateway.wire.client;

import gateway.http.Body;
import gateway.http.UpstreamException;
import io.undertow.util.HeaderMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A response body still on its way to the client. All but [Body]'s own methods are for the IO thread.
public sealed interface StreamedBody extends Body permits AnswerBody, HeldAnswer, PassingAnswer {
    /// Bytes at hand, to be taken by moving the position; null when none are here now: either [#ended], or more
    /// come and `more` is run then.
    ///
    /// @throws IOException when the upstream broke off
    @Nullable
    ByteBuffer next(Runnable more) throws IOException;

    /// Looks whether what is here already is sound, and takes nothing: [#failure] tells then. On the IO thread, before
    /// anything of the answer is passed on.
    default void look() {}

    /// Whoever takes it is slow: what is left is read ahead, once and up to `most` bytes, so that the upstream's
    /// connection may be free.
    void readAhead(int most);

    boolean ended();

    /// Whether the upstream broke off: nothing more comes.
    boolean broken();

    /// Whether it is broken by the upstream's doing: cut off, not HTTP, or awaited in vain. Told on the IO thread.
    boolean upstreamFailed();

    /// Why nothing more comes, for a client that has nothing of the answer yet; null when more comes, and when
    /// it ends by that client's doing. Told on the IO thread.
    @Nullable
    UpstreamException failure();

    /// Trailer fields that may be passed on, once ended.
    @Nullable
    HeaderMap trailers();
}
