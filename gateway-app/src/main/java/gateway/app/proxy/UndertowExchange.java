package gateway.app.proxy;

import gateway.http.Body;
import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.http.Headers;
import gateway.http.Query;
import gateway.http.Span;
import gateway.route.Route;
import gateway.wire.client.Handshake;
import gateway.wire.client.IoThreadResources;
import gateway.wire.client.ProxiedExchange;
import gateway.wire.client.UpstreamCall;
import gateway.wire.io.RequestThread;
import gateway.wire.memory.Holding;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpAttachments;
import io.undertow.util.HeaderMap;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A request on an Undertow connection. Parts are worked out when asked for; headers are Undertow's own.
final class UndertowExchange implements ProxiedExchange {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final HttpServerExchange undertow;
    private final ClientConnection connection;
    private final RequestThread thread;
    private final RequestFields rules;
    private final RequestTarget target;
    private final String requestId;
    private final FieldView requestHeaders;
    private final FieldView responseHeaders;
    private final @Nullable Route route;
    private final @Nullable Span span;
    private final @Nullable Handshake handshake;
    private final RequestContent content;
    private final RequestProgress progress = new RequestProgress();
    private String query;
    private Optional<Consumer> consumer = Optional.empty();
    private boolean authenticationWaived;
    private @Nullable InetAddress client;

    UndertowExchange(
            HttpServerExchange undertow,
            ClientConnection connection,
            RequestThread thread,
            RequestFields rules,
            RequestTarget target,
            String requestId,
            @Nullable Route route,
            @Nullable Span span,
            @Nullable Handshake handshake) {
        this.undertow = undertow;
        this.connection = connection;
        this.thread = thread;
        this.rules = rules;
        this.target = target;
        this.requestId = requestId;
        this.route = route;
        this.span = span;
        this.handshake = handshake;
        this.requestHeaders = new FieldView(undertow.getRequestHeaders());
        this.responseHeaders = new FieldView(undertow.getResponseHeaders());
        this.query = target.query();
        this.content = new RequestContent(undertow, this, route);
    }

    @Override
    public String requestId() {
        return requestId;
    }

    @Override
    public String api() {
        return route == null ? "" : route.api().id();
    }

    @Override
    public String version() {
        return route == null ? "" : route.versionName();
    }

    @Override
    public String method() {
        return undertow.getRequestMethod().toString();
    }

    @Override
    public String path() {
        return target.path();
    }

    @Override
    public String pathInApi() {
        return route == null ? target.path() : route.path().below(target.path());
    }

    @Override
    public String rawPath() {
        return target.rawPath();
    }

    @Override
    public String query() {
        return query;
    }

    /// The query before any policy took something out.
    String sentQuery() {
        return target.query();
    }

    @Override
    public Optional<String> queryParameter(String name) {
        return Query.first(query, name);
    }

    @Override
    public void removeQueryParameter(String name) {
        query = Query.without(query, name);
    }

    @Override
    public Optional<String> pathParameter(String name) {
        return route == null ? Optional.empty() : route.path().parameter(name, target.path());
    }

    @Override
    public String scheme() {
        return undertow.getRequestScheme();
    }

    @Override
    public String host() {
        return target.host();
    }

    @Override
    public InetAddress clientAddress() {
        if (client == null) client = rules.client(undertow.getRequestHeaders(), connection.peer());
        return client;
    }

    @Override
    public Headers headers() {
        return requestHeaders;
    }

    @Override
    public Optional<String> cookie(String name) {
        return RequestCookies.first(undertow.getRequestHeaders(), name);
    }

    @Override
    public Body body() {
        return content.body();
    }

    @Override
    public void replaceBody(Body other) {
        content.replace(other);
    }

    @Override
    public void limitBody(long bytes) {
        content.limit(bytes);
    }

    @Override
    public Optional<Consumer> consumer() {
        return consumer;
    }

    @Override
    public void authenticated(Consumer caller) {
        consumer = Optional.of(caller);
    }

    @Override
    public void waiveAuthentication() {
        authenticationWaived = true;
    }

    @Override
    public boolean authenticationWaived() {
        return authenticationWaived;
    }

    @Override
    public Optional<ClientCertificate> clientCertificate() {
        return connection.certificate();
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
        return undertow.getRequestHeaders();
    }

    @Override
    public HeaderMap responseFields() {
        return undertow.getResponseHeaders();
    }

    @Override
    public Headers responseHeaders() {
        return responseHeaders;
    }

    @Override
    public String forwardedPath() {
        return route == null ? target.rawPath() : route.forwarded().of(target.rawPath());
    }

    @Override
    public RequestContent content() {
        return content;
    }

    @Override
    public Holding bodies() {
        return content.memory();
    }

    @Override
    public @Nullable HeaderMap requestTrailers() {
        return content.isReplaced() ? null : undertow.getAttachment(HttpAttachments.REQUEST_TRAILERS);
    }

    @Override
    public boolean sendInterim(ByteBuffer head) {
        return progress.sendInterim(head, connection, !undertow.isHttp10());
    }

    @Override
    public void sendContinue() {
        if (content.giveLeave()) sendInterim(ByteBuffer.wrap(CONTINUE));
    }

    @Override
    public void awaitingAnswer() {
        connection.watch();
    }

    @Override
    public void mayPause() {
        if (Grpc.isRequest(undertow)) connection.unhurried();
    }

    @Override
    public void waiting(Runnable leave) {
        progress.waiting(leave);
    }

    @Override
    public void upstreamTook(long nanos) {
        progress.upstreamTook(nanos);
    }

    @Override
    public void calling(UpstreamCall next) {
        progress.calling(next);
    }

    @Override
    public @Nullable Handshake handshake() {
        return handshake;
    }

    /// What has become of the request so far.
    RequestProgress progress() {
        return progress;
    }

    /// Bytes of content that went to the client.
    long sent() {
        return undertow.getResponseBytesSent() + progress.tunnelled();
    }

    @Override
    public @Nullable Span span() {
        return span;
    }

    @Override
    public String upstream() {
        return progress.upstream();
    }

    ClientConnection connection() {
        return connection;
    }
}
