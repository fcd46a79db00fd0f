package gateway.app.proxy;

import gateway.wire.accept.LingeringEnd;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.HttpVersion;
import gateway.wire.io.ReasonPhrases;
import io.undertow.server.Connectors;
import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpAttachments;
import io.undertow.util.HeaderMap;
import io.undertow.util.SameThreadExecutor;
import io.undertow.util.StatusCodes;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;

/// One request on an HTTP/1 connection and its response: Undertow's exchange.
final class Http1Request implements HttpTransaction, ExchangeCompletionListener {
    private static final Duration LONGEST = Duration.ofSeconds(5); // of the rest that nobody reads

    private final HttpServerExchange undertow;
    private final StreamSinkChannel socket;
    private @Nullable Listener listener;
    private @Nullable NextListener next;

    /// @param socket takes what is written past Undertow
    Http1Request(HttpServerExchange undertow, StreamSinkChannel socket) {
        this.undertow = undertow;
        this.socket = socket;
    }

    @Override
    public HttpVersion version() {
        return undertow.isHttp11() ? HttpVersion.HTTP_1_1 : HttpVersion.HTTP_1_0;
    }

    @Override
    public String scheme() {
        return undertow.getRequestScheme();
    }

    @Override
    public String method() {
        return undertow.getRequestMethod().toString();
    }

    @Override
    public HeaderMap requestFields() {
        return undertow.getRequestHeaders();
    }

    @Override
    public boolean isRequestRead() {
        return undertow.isRequestComplete();
    }

    @Override
    public StreamSourceChannel requestContent() {
        return undertow.getRequestChannel();
    }

    @Override
    public @Nullable HeaderMap requestTrailers() {
        return undertow.getAttachment(HttpAttachments.REQUEST_TRAILERS);
    }

    @Override
    public boolean isPersistent() {
        return undertow.isPersistent();
    }

    @Override
    public void endsConnection() {
        undertow.setPersistent(false);
    }

    @Override
    public int status() {
        return undertow.getStatusCode();
    }

    @Override
    public void status(int status) {
        undertow.setStatusCode(status);
        String reason = ReasonPhrases.of(status);
        boolean isUndertows = reason.equals(StatusCodes.getReason(status)) && undertow.getReasonPhrase() == null;
        if (!isUndertows) undertow.setReasonPhrase(reason); // which makes a map
    }

    @Override
    public HeaderMap responseFields() {
        return undertow.getResponseHeaders();
    }

    @Override
    public StreamSinkChannel responseContent() {
        return undertow.getResponseChannel();
    }

    @Override
    public void responseTrailers(HeaderMap trailers) {
        undertow.putAttachment(HttpAttachments.RESPONSE_TRAILERS, trailers);
    }

    @Override
    public @Nullable HeaderMap responseTrailers() {
        return undertow.getAttachment(HttpAttachments.RESPONSE_TRAILERS);
    }

    @Override
    public StreamSinkChannel straight() {
        return socket;
    }

    /// The connection's next request may begin within.
    @Override
    public void straightSent() {
        Connectors.terminateResponse(undertow);
    }

    @Override
    public void start(Runnable work) {
        undertow.dispatch(SameThreadExecutor.INSTANCE, work);
    }

    @Override
    public void whenOver(Listener one) {
        listener = one;
        undertow.addExchangeCompleteListener(this);
    }

    /// Told on whichever thread closes the connection ([gateway.wire.io.Sockets]); the end has to wait for locks, and
    /// what it lets go of belongs to the IO thread.
    @Override
    @SuppressWarnings("ReferenceEquality") // which thread this is
    public void exchangeEvent(HttpServerExchange completed, NextListener others) {
        next = others;
        XnioIoThread io = completed.getIoThread();
        if (Thread.currentThread() == io) {
            over();
            return;
        }
        try {
            io.execute(this::over);
        } catch (RejectedExecutionException e) {
            over(); // the IO thread is about to end, and does nothing beside it
        }
    }

    private void over() {
        if (listener == null) proceed();
        else listener.transactionOver();
    }

    @Override
    public void proceed() {
        if (next != null) next.proceed();
    }

    @Override
    public void leaveUnread() {
        new LingeringEnd(LONGEST).begin(undertow);
    }
}
