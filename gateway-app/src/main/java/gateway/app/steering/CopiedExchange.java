package gateway.app.steering;

import gateway.http.Body;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Response;
import gateway.wire.client.Handshake;
import gateway.wire.client.IoThreadResources;
import gateway.wire.client.ProxiedContent;
import gateway.wire.client.ProxiedExchange;
import gateway.wire.client.UpstreamCall;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Kind;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is sent of a request, apart from the request: it lives on when that is over, and what becomes of it changes
/// nothing there. Has no client: nothing is sent to one and nobody leaves.
///
/// @param of asked only for what never changes
/// @param responseFields where the fields of the answer go, which nobody reads
/// @param bodies what is held of the answer
record CopiedExchange(
        Exchange of,
        IoThreadResources ioThread,
        HeaderMap requestFields,
        String forwardedPath,
        String query,
        Body body,
        HeaderMap responseFields,
        Headers responseHeaders,
        Holding bodies)
        implements ProxiedExchange {
    /// A copy of `exchange` as it stands; to be made on its request thread.
    static CopiedExchange of(ProxiedExchange exchange) {
        var fields = new HeaderMap();
        for (HeaderValues values : exchange.requestFields()) fields.addAll(values.getHeaderName(), values);
        return new CopiedExchange(
                exchange,
                exchange.ioThread(),
                fields,
                exchange.forwardedPath(),
                exchange.query(),
                exchange.body(),
                new HeaderMap(),
                Response.of(200).headers(),
                new Holding(exchange.ioThread().purse(Kind.BODIES)));
    }

    /// Whether all that is sent of `exchange` is here already: no body that streams, no WebSocket.
    static boolean isPossible(ProxiedExchange exchange) {
        return exchange.content().streaming() == null
                && exchange.handshake() == null
                && exchange.body() instanceof HeldBody;
    }

    @Override
    public void onIoThread(Runnable work) {
        ioThread.io().execute(work);
    }

    @Override
    public String method() {
        return of.method();
    }

    @Override
    public ProxiedContent content() {
        return ProxiedContent.NONE;
    }

    @Override
    public @Nullable HeaderMap requestTrailers() {
        return null;
    }

    @Override
    public void sendContinue() {}

    @Override
    public boolean sendInterim(ByteBuffer head) {
        return true;
    }

    @Override
    public void awaitingAnswer() {}

    @Override
    public void waiting(Runnable leave) {}

    @Override
    public @Nullable Handshake handshake() {
        return null;
    }

    @Override
    public void upstreamTook(long nanos) {}

    @Override
    public void calling(UpstreamCall call) {}

    @Override
    public String requestId() {
        return of.requestId();
    }

    @Override
    public String api() {
        return of.api();
    }

    @Override
    public String path() {
        return of.path();
    }

    @Override
    public String pathInApi() {
        return of.pathInApi();
    }

    @Override
    public String rawPath() {
        return of.rawPath();
    }

    @Override
    public String scheme() {
        return of.scheme();
    }

    @Override
    public String host() {
        return of.host();
    }

    @Override
    public Optional<String> queryParameter(String name) {
        throw sealed();
    }

    @Override
    public void removeQueryParameter(String name) {
        throw sealed();
    }

    @Override
    public Optional<String> pathParameter(String name) {
        throw sealed();
    }

    @Override
    public InetAddress clientAddress() {
        throw sealed();
    }

    @Override
    public Headers headers() {
        throw sealed();
    }

    @Override
    public Optional<String> cookie(String name) {
        throw sealed();
    }

    @Override
    public void replaceBody(Body other) {
        throw sealed();
    }

    @Override
    public void limitBody(long bytes) {
        throw sealed();
    }

    @Override
    public Optional<Consumer> consumer() {
        throw sealed();
    }

    @Override
    public void authenticated(Consumer consumer) {
        throw sealed();
    }

    @Override
    public void waiveAuthentication() {
        throw sealed();
    }

    @Override
    public boolean authenticationWaived() {
        throw sealed();
    }

    private static IllegalStateException sealed() {
        return new IllegalStateException("a copy has passed all policies");
    }
}
