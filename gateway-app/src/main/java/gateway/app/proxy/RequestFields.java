package gateway.app.proxy;

import gateway.net.IpRanges;
import gateway.net.TrustedProxies;
import gateway.wire.io.HeadWriter;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prepares a request's fields before any policy sees them: drops what ends at this hop (RFC 9110 §7.6.1), drops
/// what a client must not claim, and says where the request comes from.
final class RequestFields {
    static final HttpString REQUEST_ID = new HttpString("X-Request-Id");
    static final HttpString TRACEPARENT = new HttpString("traceparent");
    private static final HttpString TRACESTATE = new HttpString("tracestate");
    private static final HttpString KEEP_ALIVE = new HttpString("Keep-Alive");
    private static final HttpString PROXY_CONNECTION = new HttpString("Proxy-Connection");
    private static final HttpString HTTP2_SETTINGS = new HttpString("HTTP2-Settings");

    private final TrustedProxies trusted;
    private final RequestSpans spans;
    private final boolean via;

    /// @param via whether upstreams are told by `Via`
    RequestFields(IpRanges trusted, RequestSpans spans, boolean via) {
        this.via = via;
        this.trusted = TrustedProxies.of(trusted);
        this.spans = spans;
    }

    /// Whether upstreams are told by `Via` how requests came here (RFC 9110 §7.6.3).
    boolean tellVia() {
        return via;
    }

    boolean isTrusted(InetAddress peer) {
        return trusted.trust(peer);
    }

    /// Removes hop-by-hop fields; those that `Connection` names first, so that none of ours can be named. Answers
    /// what the client asks of this hop by `Connection`; Undertow overlooks `close` in a list.
    HopOptions dropHopByHop(HeaderMap fields) {
        boolean close = false;
        boolean webSocket = false;
        for (int i = fields.count(Headers.CONNECTION) - 1; i >= 0; i--) {
            for (String option : fields.get(Headers.CONNECTION, i).split(",", -1)) {
                String name = option.trim();
                close |= name.equalsIgnoreCase("close");
                webSocket |= name.equalsIgnoreCase("upgrade") && namesWebSocket(fields);
                if (!name.isEmpty() && !isFraming(name)) fields.remove(name);
            }
        }
        fields.remove(Headers.CONNECTION);
        fields.remove(Headers.TRANSFER_ENCODING);
        HopOptions options = HopOptions.of(close, webSocket);
        if (fields.size() <= 1 && fields.contains(Headers.HOST)) return options; // as HTTP/1.1 may, 1.0 need not
        fields.remove(KEEP_ALIVE);
        fields.remove(PROXY_CONNECTION);
        if (!isTrailers(fields)) fields.remove(Headers.TE);
        fields.remove(Headers.UPGRADE);
        fields.remove(HTTP2_SETTINGS);
        return options;
    }

    /// What a client of HTTP/2 may say by `TE`, and servers of gRPC want to hear. Upstreams of HTTP/1.1 are not told.
    private static boolean isTrailers(HeaderMap fields) {
        return fields.count(Headers.TE) == 1 && "trailers".equals(fields.getFirst(Headers.TE));
    }

    /// `Upgrade` is a list (RFC 9110 §7.8); all that it names besides goes no further.
    private static boolean namesWebSocket(HeaderMap fields) {
        for (int i = fields.count(Headers.UPGRADE) - 1; i >= 0; i--) {
            for (String protocol : fields.get(Headers.UPGRADE, i).split(",", -1)) {
                if (protocol.trim().equalsIgnoreCase("websocket")) return true;
            }
        }
        return false;
    }

    /// A client must not take away what says how long its body is or where it goes.
    private static boolean isFraming(String name) {
        return name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("Host");
    }

    /// Sets `X-Forwarded-*`, `X-Request-Id` and `traceparent`; answers the request id.
    String describe(HeaderMap fields, ClientConnection connection, String scheme) {
        HeadWriter scratch = connection.ioThread().headWriter();
        return describe(fields, connection.peer(), connection.peerText(), scheme, scratch);
    }

    String describe(HeaderMap fields, InetAddress peer, String peerText, String scheme, HeadWriter scratch) {
        boolean believed = isTrusted(peer);
        if (fields.size() > 1 || !fields.contains(Headers.HOST)) ForwardingFields.drop(fields, believed);
        String before = believed ? joined(fields, Headers.X_FORWARDED_FOR) : null;
        fields.put(Headers.X_FORWARDED_FOR, before == null ? peerText : before + ", " + peerText);
        if (!believed || !fields.contains(Headers.X_FORWARDED_PROTO)) fields.put(Headers.X_FORWARDED_PROTO, scheme);
        String host = fields.getFirst(Headers.HOST);
        if (host != null && (!believed || !fields.contains(Headers.X_FORWARDED_HOST)))
            fields.put(Headers.X_FORWARDED_HOST, host);
        return identify(fields, believed, scratch);
    }

    /// The `traceparent` by which a trusted peer says which trace the request belongs to; null when it does not, and
    /// when nothing is traced, where nobody asks. Called before [#describe].
    @Nullable
    String caller(HeaderMap fields, ClientConnection connection) {
        String sent = fields.getFirst(TRACEPARENT);
        boolean believed = sent != null && isTrusted(connection.peer()) && RequestIds.isTraceparent(sent);
        return believed ? sent : null;
    }

    private String identify(HeaderMap fields, boolean believed, HeadWriter scratch) {
        String sent = believed ? fields.getFirst(REQUEST_ID) : null;
        String id = sent != null && RequestIds.isRequestId(sent) ? sent : RequestIds.next(scratch);
        fields.put(REQUEST_ID, id);
        String parent = believed ? fields.getFirst(TRACEPARENT) : null;
        if (parent != null && RequestIds.isTraceparent(parent)) {
            fields.put(TRACEPARENT, RequestIds.continued(parent, scratch));
            return id;
        }
        fields.remove(TRACESTATE);
        String trace = RequestIds.isTraceId(id) ? id : RequestIds.next(scratch);
        fields.put(TRACEPARENT, RequestIds.traceparent(trace, spans.samples(trace), scratch));
        return id;
    }

    private static @Nullable String joined(HeaderMap fields, HttpString name) {
        if (!fields.contains(name)) return null;
        return String.join(", ", fields.get(name));
    }

    /// The client's address, see [TrustedProxies#client]. Called after [#describe].
    InetAddress client(HeaderMap fields, InetAddress peer) {
        if (!isTrusted(peer) || !fields.contains(Headers.X_FORWARDED_FOR)) return peer;
        return trusted.client(peer, List.copyOf(fields.get(Headers.X_FORWARDED_FOR)), List.of());
    }
}
