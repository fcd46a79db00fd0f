package gateway.app.proxy;

import gateway.http.Problem;
import gateway.http.Response;
import gateway.route.Route;
import gateway.wire.client.Handshake;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.HttpVersion;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Lets WebSocket handshakes (RFC 6455 §4.2.1) in, and knows the sockets that are open.
final class WebSockets {
    private static final HttpString KEY = new HttpString("Sec-WebSocket-Key");
    private static final HttpString VERSION = new HttpString("Sec-WebSocket-Version");
    private static final String SPOKEN = "13";
    private static final int KEY_BYTES = 16;
    private static final int KEY_CHARACTERS = 24; // of Base64

    private final WebSocketLimits limits;
    private final Admission admission;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<Tunnel> tunnels = ConcurrentHashMap.newKeySet();
    private final LongAdder refused = new LongAdder();

    WebSockets(WebSocketLimits limits, Admission admission) {
        this.limits = limits;
        this.admission = admission;
    }

    /// The handshake that this request is, since its `Connection` and `Upgrade` say so; null when it is to be served
    /// as a plain request. Whatever becomes of a handshake, no other request follows it on its connection.
    @Nullable
    Handshake handshake(HttpTransaction transaction, Route route) {
        if (isHttp2(transaction)) return keyless(transaction);
        if (limits.most() == 0 || !route.api().webSocket() || transaction.version() != HttpVersion.HTTP_1_1)
            return null;
        transaction.endsConnection();
        String key = transaction.requestFields().getFirst(KEY);
        return new Handshake(key == null ? "" : key);
    }

    private static boolean isHttp2(HttpTransaction transaction) {
        return transaction.version() == HttpVersion.HTTP_2;
    }

    /// On HTTP/2 a handshake has no key (RFC 8441 §5.1): the upstream is asked with one of the gateway's own.
    private static Handshake keyless(HttpTransaction transaction) {
        byte[] nonce = new byte[KEY_BYTES];
        ThreadLocalRandom.current().nextBytes(nonce); // it proves that the answer is one to it, and keeps no secret
        String key = Base64.getEncoder().encodeToString(nonce);
        transaction.requestFields().put(KEY, key);
        return new Handshake(key);
    }

    /// Why this handshake goes no further; null when it may.
    @Nullable
    Response refusal(HttpTransaction transaction, Route route, String requestId) {
        if (!route.api().webSocket()) return notServed(requestId);
        HeaderMap fields = transaction.requestFields();
        if (!transaction.method().equals(Methods.GET_STRING))
            return malformed("a WebSocket begins with GET", requestId);
        if (!transaction.isRequestRead()) return malformed("a WebSocket handshake has no body", requestId);
        if (fields.count(VERSION) != 1 || !SPOKEN.equals(fields.getFirst(VERSION)))
            return wrongVersion(isHttp2(transaction), requestId);
        if (fields.count(KEY) != 1 || !isKey(fields.getFirst(KEY)))
            return malformed("Sec-WebSocket-Key is not 16 bytes in Base64", requestId);
        if (admission.isDraining() || count.get() >= limits.most()) return full(requestId);
        return null;
    }

    private static boolean isKey(String text) {
        if (text.length() != KEY_CHARACTERS) return false;
        try {
            return Base64.getDecoder().decode(text).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// What the client is told once the pipeline has answered its handshake: 101 only when the upstream has agreed,
    /// nothing has come ahead of that, and there is room. Then [#opened] follows.
    Response settle(ClientRequest request, Handshake handshake, Response answer) {
        if (answer.status() == StatusCodes.SWITCHING_PROTOCOLS && handshake.upstream() != null) {
            if (request.connection().hasEarlyBytes())
                return giveUp(
                        request,
                        malformed(
                                "bytes came before the answer",
                                request.exchange().requestId()));
            if (count.incrementAndGet() <= limits.most()) return answer;
            count.decrementAndGet();
            return giveUp(request, full(request.exchange().requestId()));
        }
        if (answer.status() == StatusCodes.SWITCHING_PROTOCOLS)
            throw new IllegalStateException("101 without an upstream that agreed");
        if (isHttp2(request.transaction()) && answer.status() / 100 == 2) // it would mean that the WebSocket is open
        return giveUp(request, notAgreed(request.exchange().requestId()));
        return handshake.upstream() == null ? answer : giveUp(request, answer);
    }

    /// Another answer than the upstream's agreement: its connection is of no use.
    private static Response giveUp(ClientRequest request, Response answer) {
        request.progress().cancelCall();
        return answer;
    }

    /// Makes the tunnel of a handshake that was settled with 101.
    Tunnel opened(RequestRun run, ClientRequest request, Handshake handshake) {
        if (handshake.upstream() == null) throw new IllegalStateException("no upstream has agreed");
        var tunnel = new Tunnel(run, request, request.connection().tunnelEnd(), handshake.upstream(), limits.idle());
        tunnels.add(tunnel);
        return tunnel;
    }

    void closed(Tunnel tunnel) {
        if (tunnels.remove(tunnel)) count.decrementAndGet();
    }

    /// Takes leave of those that are open, soon.
    void leaveAll() {
        tunnels.forEach(Tunnel::leaveSoon);
    }

    /// Closes those that are open, soon.
    void closeAll() {
        tunnels.forEach(Tunnel::closeSoon);
    }

    int open() {
        return count.get();
    }

    /// Handshakes answered 503 because too many sockets were open, or the gateway was stopping.
    long refused() {
        return refused.sum();
    }

    private Response full(String requestId) {
        refused.increment();
        return problem(
                        "too-many-websockets",
                        StatusCodes.SERVICE_UNAVAILABLE,
                        "Service unavailable",
                        "No more WebSockets are taken now",
                        requestId)
                .with("Retry-After", "1");
    }

    private static Response malformed(String why, String requestId) {
        return problem("bad-handshake", StatusCodes.BAD_REQUEST, "Bad request", why, requestId);
    }

    /// HTTP/2 has no `Upgrade`, without which 426 may not be.
    private static Response wrongVersion(boolean http2, String requestId) {
        String why = "Sec-WebSocket-Version is not " + SPOKEN;
        if (http2) return malformed(why, requestId).with("Sec-WebSocket-Version", SPOKEN);
        return problem("bad-handshake", StatusCodes.UPGRADE_REQUIRED, "Upgrade required", why, requestId)
                .with(Headers.UPGRADE_STRING, "websocket")
                .with("Sec-WebSocket-Version", SPOKEN);
    }

    /// An HTTP/1 handshake would be a plain request; an extended CONNECT is none.
    private static Response notServed(String requestId) {
        String why = "This API takes no WebSockets";
        return problem("no-websockets", StatusCodes.NOT_IMPLEMENTED, "Not implemented", why, requestId);
    }

    private static Response notAgreed(String requestId) {
        String why = "The handshake was not answered with 101";
        return problem("bad-handshake", StatusCodes.BAD_GATEWAY, "Bad gateway", why, requestId);
    }

    private static Response problem(String type, int status, String title, String detail, String requestId) {
        return Problem.of(type, status, title, detail).toResponse(requestId);
    }
}
