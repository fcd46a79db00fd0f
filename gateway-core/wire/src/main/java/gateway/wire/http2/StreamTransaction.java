package gateway.wire.http2;

import gateway.wire.io.HttpTransaction;
import gateway.wire.io.HttpVersion;
import io.undertow.server.Connectors;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.StatusCodes;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.Configurable;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.ConduitStreamSinkChannel;
import org.xnio.conduits.ConduitStreamSourceChannel;

/// The request and the response of one stream.
final class StreamTransaction implements HttpTransaction {
    private static final HttpString PROXY_CONNECTION = new HttpString("Proxy-Connection");

    private final Http2Stream stream;
    private final String scheme;
    private final HeaderMap responseFields = new HeaderMap();
    private @Nullable HeaderMap requestTrailers;
    private @Nullable HeaderMap responseTrailers;
    private @Nullable Listener listener;
    private int status = StatusCodes.OK;
    private boolean persistent = true;
    private boolean requestRead;
    private boolean responseLeft;
    private boolean told;

    StreamTransaction(Http2Stream stream, String scheme) {
        this.stream = stream;
        this.scheme = scheme;
    }

    @Override
    public HttpVersion version() {
        return HttpVersion.HTTP_2;
    }

    @Override
    public String scheme() {
        return scheme;
    }

    @Override
    public String method() {
        return stream.head().method();
    }

    @Override
    public HeaderMap requestFields() {
        return stream.head().fields();
    }

    @Override
    public boolean isRequestRead() {
        return requestRead;
    }

    void requestRead() {
        requestRead = true;
        tellOver();
    }

    @Override
    public StreamSourceChannel requestContent() {
        return new ConduitStreamSourceChannel(Configurable.EMPTY, stream.source());
    }

    @Override
    public @Nullable HeaderMap requestTrailers() {
        return requestTrailers;
    }

    void requestTrailers(HeaderMap trailers) {
        requestTrailers = trailers;
    }

    @Override
    public boolean isPersistent() {
        return persistent;
    }

    @Override
    public void endsConnection() {
        persistent = false;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void status(int value) {
        status = value;
    }

    @Override
    public HeaderMap responseFields() {
        return responseFields;
    }

    /// Fields that belong to a connection of HTTP/1 go first (RFC 9113 §8.2.2).
    @Override
    public StreamSinkChannel responseContent() {
        responseFields.remove(Headers.CONNECTION);
        responseFields.remove(Headers.KEEP_ALIVE);
        responseFields.remove(PROXY_CONNECTION);
        responseFields.remove(Headers.TRANSFER_ENCODING);
        responseFields.remove(Headers.UPGRADE);
        if (!Connectors.isEntityBodyAllowed(status)) responseFields.remove(Headers.CONTENT_LENGTH);
        return new ConduitStreamSinkChannel(Configurable.EMPTY, stream.sink());
    }

    @Override
    public void responseTrailers(HeaderMap trailers) {
        responseTrailers = trailers;
    }

    @Override
    public @Nullable HeaderMap responseTrailers() {
        return responseTrailers;
    }

    @Override
    public @Nullable StreamSinkChannel straight() {
        return null;
    }

    @Override
    public void straightSent() {
        throw new IllegalStateException("a response leaves in frames");
    }

    /// The response, or all of it that ever will, has left.
    void responseLeft() {
        responseLeft = true;
        tellOver();
    }

    private void tellOver() {
        if (!requestRead || !responseLeft || told) return;
        told = true;
        if (listener == null) proceed();
        else listener.transactionOver();
    }

    /// The head was read before there was a stream.
    @Override
    public void start(Runnable work) {
        work.run();
    }

    @Override
    public void whenOver(Listener one) {
        listener = one;
    }

    /// No other stream waits for this one.
    @Override
    public void proceed() {
        stream.complete();
    }

    @Override
    public void leaveUnread() {
        stream.leaveUnread();
    }
}
