package gateway.wire.http2;

import io.undertow.connector.ByteBufferPool;
import io.undertow.server.Connectors;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.HttpUpgradeListener;
import io.undertow.server.SSLSessionInfo;
import io.undertow.server.ServerConnection;
import io.undertow.server.XnioBufferPoolAdaptor;
import io.undertow.util.DateUtils;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Protocols;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.Option;
import org.xnio.OptionMap;
import org.xnio.Pool;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.Configurable;
import org.xnio.channels.ConnectedChannel;
import org.xnio.conduits.ConduitStreamSinkChannel;
import org.xnio.conduits.ConduitStreamSourceChannel;
import org.xnio.conduits.StreamSinkConduit;

/// What Undertow takes for the connection of one stream's exchange.
final class Http2Exchange extends ServerConnection {
    private static final HttpString PROXY_CONNECTION = new HttpString("Proxy-Connection");

    private final Http2Session session;
    private final Http2Stream stream;
    private final ConduitStreamSourceChannel source;
    private final ConduitStreamSinkChannel sink;
    private final ChannelListener.SimpleSetter<ConnectedChannel> closeSetter = new ChannelListener.SimpleSetter<>();
    private @Nullable SSLSessionInfo tls;

    Http2Exchange(Http2Session session, Http2Stream stream, StreamSource source, StreamSink sink) {
        this.session = session;
        this.stream = stream;
        this.source = new ConduitStreamSourceChannel(Configurable.EMPTY, source);
        this.sink = new ConduitStreamSinkChannel(Configurable.EMPTY, sink);
    }

    /// The exchange of the request with this head.
    HttpServerExchange begin(FieldSection head) {
        var exchange = new HttpServerExchange(this, head.fields(), new HeaderMap(), -1);
        exchange.setProtocol(Protocols.HTTP_2_0);
        exchange.setRequestScheme(session.scheme());
        exchange.setRequestMethod(HttpString.tryFromString(head.method()));
        exchange.setRequestURI("/"); // the target is none of its business: the same as for HTTP/1
        exchange.setRequestPath("/");
        exchange.setRelativePath("/");
        exchange.setPersistent(true);
        return exchange;
    }

    @Override
    protected StreamSinkConduit getSinkConduit(HttpServerExchange exchange, StreamSinkConduit conduit) {
        HeaderMap fields = exchange.getResponseHeaders();
        DateUtils.addDateHeaderIfRequired(exchange);
        fields.remove(Headers.CONNECTION);
        fields.remove(Headers.KEEP_ALIVE);
        fields.remove(PROXY_CONNECTION);
        fields.remove(Headers.TRANSFER_ENCODING);
        fields.remove(Headers.UPGRADE);
        if (!Connectors.isEntityBodyAllowed(exchange)) fields.remove(Headers.CONTENT_LENGTH);
        return conduit;
    }

    @Override
    protected ConduitStreamSinkChannel getSinkChannel() {
        return sink;
    }

    @Override
    protected ConduitStreamSourceChannel getSourceChannel() {
        return source;
    }

    @Override
    protected void exchangeComplete(HttpServerExchange exchange) {
        stream.complete();
    }

    @Override
    public void terminateRequestChannel(HttpServerExchange exchange) {}

    @Override
    public boolean isOpen() {
        return stream.isOpen() && session.isOpen();
    }

    @Override
    public void close() {
        stream.reset(ErrorCode.CANCEL);
    }

    @Override
    @SuppressWarnings("deprecation") // Undertow's own signature
    public Pool<ByteBuffer> getBufferPool() {
        return new XnioBufferPoolAdaptor(session.buffers());
    }

    @Override
    public ByteBufferPool getByteBufferPool() {
        return session.buffers();
    }

    @Override
    public int getBufferSize() {
        return session.buffers().getBufferSize();
    }

    @Override
    public XnioWorker getWorker() {
        return session.io().getWorker();
    }

    @Override
    public XnioIoThread getIoThread() {
        return session.io();
    }

    @Override
    public SocketAddress getPeerAddress() {
        return session.channel().getPeerAddress();
    }

    @Override
    public <A extends SocketAddress> A getPeerAddress(Class<A> type) {
        return session.channel().getPeerAddress(type);
    }

    @Override
    public SocketAddress getLocalAddress() {
        return session.channel().getLocalAddress();
    }

    @Override
    public <A extends SocketAddress> A getLocalAddress(Class<A> type) {
        return session.channel().getLocalAddress(type);
    }

    @Override
    public ChannelListener.Setter<? extends ConnectedChannel> getCloseSetter() {
        return closeSetter;
    }

    @Override
    public OptionMap getUndertowOptions() {
        return OptionMap.EMPTY;
    }

    @Override
    public @Nullable SSLSessionInfo getSslSessionInfo() {
        return tls;
    }

    @Override
    public void setSslSessionInfo(SSLSessionInfo info) {
        tls = info;
    }

    @Override
    public String getTransportProtocol() {
        return "h2";
    }

    @Override
    public boolean isRequestTrailerFieldsSupported() {
        return true;
    }

    @Override
    public boolean isContinueResponseSupported() {
        return false; // the gateway sends its own
    }

    @Override
    public HttpServerExchange sendOutOfBandResponse(HttpServerExchange exchange) {
        throw unsupported();
    }

    @Override
    public void addCloseListener(CloseListener listener) {
        throw unsupported();
    }

    @Override
    protected StreamConnection upgradeChannel() {
        throw unsupported();
    }

    @Override
    protected void setUpgradeListener(HttpUpgradeListener listener) {
        throw unsupported();
    }

    @Override
    protected void setConnectListener(HttpUpgradeListener listener) {
        throw unsupported();
    }

    @Override
    protected boolean isUpgradeSupported() {
        return false;
    }

    @Override
    protected boolean isConnectSupported() {
        return false;
    }

    @Override
    protected void maxEntitySizeUpdated(HttpServerExchange exchange) {}

    @Override
    public boolean supportsOption(Option<?> option) {
        return false;
    }

    @Override
    public <T> @Nullable T getOption(Option<T> option) {
        return null;
    }

    @Override
    public <T> @Nullable T setOption(Option<T> option, T value) {
        return null;
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("a stream of HTTP/2");
    }
}
