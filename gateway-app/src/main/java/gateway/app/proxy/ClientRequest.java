package gateway.app.proxy;

import gateway.http.Body;
import gateway.http.ClientCertificate;
import gateway.http.ClientFacts;
import gateway.http.Exchange;
import gateway.http.FailureReason;
import gateway.http.Headers;
import gateway.http.RequestHead;
import gateway.http.RouteFacts;
import gateway.http.Span;
import gateway.http.UpstreamException;
import gateway.route.Route;
import gateway.wire.client.ClientSide;
import gateway.wire.client.Handshake;
import gateway.wire.client.IoThreadResources;
import gateway.wire.client.SentContent;
import gateway.wire.client.UpstreamCall;
import gateway.wire.io.FieldView;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.HttpVersion;
import gateway.wire.io.RequestThread;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Kind;
import io.undertow.util.HeaderMap;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The client's side of a request: its connection, what it still sends, and what it is told and sent. Makes the
/// exchange that policies see. Parts are worked out when asked for; headers are those of the transaction.
final class ClientRequest implements ClientSide, ClientFacts {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final HttpTransaction transaction;
    private final ClientConnection connection;
    private final RequestThread thread;
    private final RequestFields fields;
    private final FieldView requestHeaders;
    private final FieldView responseHeaders;
    private final @Nullable Handshake handshake;
    private final @Nullable RequestContent content; // null: the request ends with its head
    private final Exchange exchange;
    private final RequestProgress progress;
    private @Nullable InetAddress address;
    private @Nullable Holding memory;
    private long taken; // of the memory for bodies, besides

    ClientRequest(
            HttpTransaction transaction,
            ClientConnection connection,
            RequestThread thread,
            RequestFields fields,
            String requestId,
            RequestHead head,
            @Nullable Route route,
            @Nullable Span span,
            @Nullable Handshake handshake,
            long startedAt) {
        this.transaction = transaction;
        this.connection = connection;
        this.thread = thread;
        this.fields = fields;
        this.handshake = handshake;
        this.progress = new RequestProgress(startedAt);
        this.responseHeaders = FieldView.ofStreamed(transaction.responseFields());
        this.content = transaction.isRequestRead() && handshake == null ? null : new RequestContent(this, transaction);
        this.requestHeaders = content == null
                ? new FieldView(transaction.requestFields())
                : FieldView.ofStreamed(transaction.requestFields());
        this.exchange = new Exchange(
                requestId,
                head,
                this,
                route == null ? RouteFacts.NONE : route,
                requestHeaders,
                content == null ? Body.EMPTY : content.body(),
                route == null ? Long.MAX_VALUE : route.api().maxBodyBytes(),
                span);
    }

    Exchange exchange() {
        return exchange;
    }

    HttpTransaction transaction() {
        return transaction;
    }

    ClientConnection connection() {
        return connection;
    }

    RequestThread thread() {
        return thread;
    }

    /// What has become of the request so far.
    RequestProgress progress() {
        return progress;
    }

    @Override
    public InetAddress address() {
        if (address == null) address = fields.client(transaction.requestFields(), connection.peer());
        return address;
    }

    @Override
    public Optional<ClientCertificate> certificate() {
        return connection.certificate();
    }

    @Override
    public boolean opensWebSocket() {
        return handshake != null;
    }

    @Override
    public IoThreadResources ioThread() {
        return connection.ioThread();
    }

    @Override
    public void onIoThread(Runnable work) {
        thread.onIoThread(work);
    }

    @Override
    public HeaderMap requestFields() {
        return transaction.requestFields();
    }

    @Override
    public @Nullable HttpVersion via() {
        return fields.tellVia() ? transaction.version() : null;
    }

    @Override
    public HeaderMap responseFields() {
        return transaction.responseFields();
    }

    @Override
    public Headers responseHeaders() {
        return responseHeaders;
    }

    @Override
    public SentContent content() {
        return content == null ? SentContent.NONE : content;
    }

    /// The content, unless the request ends with its head.
    @Nullable
    RequestContent ownContent() {
        return content;
    }

    @Override
    public Holding bodies() {
        if (memory == null) memory = new Holding(ioThread().purse(Kind.BODIES));
        return memory;
    }

    /// Of the process at once, as an IO thread's purse is its own.
    @Override
    public void hold(long bytes) {
        if (!ioThread().purse(Kind.BODIES).budget().take(bytes))
            throw new UpstreamException(FailureReason.NO_ROOM, "no memory is left for the body");
        taken += bytes;
    }

    /// The request is over: what was held of its bodies, and made of them, is given back.
    void release() {
        if (memory != null) memory.release();
        if (taken == 0) return;
        ioThread().purse(Kind.BODIES).budget().giveBack(taken);
        taken = 0;
    }

    /// The rules of the head hold for them too: a server that merges them into it would believe what the client could
    /// not say there.
    @Override
    public @Nullable HeaderMap requestTrailers() {
        if (content == null || content.isReplaced()) return null;
        HeaderMap trailers = transaction.requestTrailers();
        if (trailers == null) return null;
        ForwardingFields.drop(trailers, fields.isTrusted(connection.peer()));
        requestHeaders.apply(trailers);
        return trailers;
    }

    /// Takes out of an answer's trailers what policies have removed from its head: the upstream is not to say behind
    /// the content what it may not say ahead of it.
    void apply(HeaderMap answersTrailers) {
        boolean grpc = Grpc.isRequest(transaction);
        responseHeaders.applyRemovals(answersTrailers, name -> grpc && Grpc.isOwn(name));
    }

    @Override
    public boolean sendInterim(ByteBuffer head) {
        return progress.sendInterim(head, connection, transaction.version() != HttpVersion.HTTP_1_0);
    }

    @Override
    public void sendContinue() {
        if (content != null && content.giveLeave()) sendInterim(ByteBuffer.wrap(CONTINUE));
    }

    @Override
    public void awaitingAnswer() {
        connection.watch();
    }

    @Override
    public void mayPause() {
        if (Grpc.isRequest(transaction)) connection.unhurried();
    }

    @Override
    public void waiting(Runnable leave) {
        progress.waiting(leave);
    }

    @Override
    public void upstreamTook(long nanos) {
        progress.upstreamTook(nanos);
    }

    /// Policies may have waited for others, and nobody has looked at the client meanwhile.
    @Override
    public void calling(UpstreamCall next) {
        if (handshake == null && progress.hasWaited() && isHere()) connection.look();
        progress.calling(next);
    }

    /// Whether what comes next from the client is its end or another request.
    private boolean isHere() {
        return transaction.isRequestRead() || (content != null && content.isHere());
    }

    @Override
    public @Nullable Handshake handshake() {
        return handshake;
    }

    @Override
    public String upstream() {
        return progress.upstream();
    }

    @Override
    public boolean sendsAgain() {
        UpstreamCall last = handshake == null ? progress.repeatable() : null;
        if (last == null) return false;
        onIoThread(last::cancel);
        responseFields().clear();
        return true;
    }

    /// Bytes of the body that have come so far, without the framing of chunks.
    long received() {
        return content == null ? 0 : content.received();
    }

    /// Bytes of content that went to the client.
    long sent() {
        return progress.sent();
    }
}
