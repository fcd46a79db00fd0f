package gateway.wire.io;

import io.undertow.util.HeaderMap;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;

/// One request of a client and the response to it, as the protocol of their connection carries them. Used on the
/// connection's IO thread.
public interface HttpTransaction {
    /// Who is told of the end.
    interface Listener {
        /// Both messages are complete, or the client is gone. Told once; [HttpTransaction#proceed] is for the listener
        /// to call then.
        void transactionOver();
    }

    HttpVersion version();

    /// `http` or `https`.
    String scheme();

    String method();

    HeaderMap requestFields();

    /// Whether the whole request has been read.
    boolean isRequestRead();

    /// Where the content of the request is read; asked for once.
    StreamSourceChannel requestContent();

    /// What came behind the content; null when nothing did.
    @Nullable
    HeaderMap requestTrailers();

    /// Whether another request may follow on the connection, as far as this one is concerned.
    boolean isPersistent();

    /// No other request follows on an HTTP/1 connection.
    void endsConnection();

    /// Of the response, 200 until it is set.
    int status();

    void status(int status);

    HeaderMap responseFields();

    /// Where the content of the response is written, once status and fields are settled: the head leaves with its first
    /// bytes. Asked for once.
    StreamSinkChannel responseContent();

    /// What follows the content of the response, before that is shut down.
    void responseTrailers(HeaderMap trailers);

    /// What was given so; null when nothing was.
    @Nullable
    HeaderMap responseTrailers();

    /// Where a response leaves whole, behind a head that the caller writes, instead of by [#responseContent]; null
    /// where
    /// there is no such way. [#straightSent] is called at its end.
    @Nullable
    StreamSinkChannel straight();

    void straightSent();

    /// Runs `work` as soon as whoever has parsed the head has let go of it.
    void start(Runnable work);

    /// Has `listener` told when the transaction is over.
    void whenOver(Listener listener);

    /// Lets the next request of the connection begin, where one waits for this.
    void proceed();

    /// The request was answered, and what is left of its content is more than is worth reading.
    void leaveUnread();
}
