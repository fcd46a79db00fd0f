package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.route.Route;
import gateway.route.RouteMatch;
import gateway.wire.http1.SentTarget;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import java.util.List;

/// What the gateway answers about itself in place of an upstream: `OPTIONS *` (RFC 9110 §9.3.7), and a request that
/// may go no further by its `Max-Forwards` (§7.6.2).
final class ServerOptions {
    private static final HttpString MAX_FORWARDS = new HttpString("Max-Forwards");
    private static final List<HttpString> WAY = List.of(Headers.HOST, Headers.VIA, MAX_FORWARDS);
    private static final int MOST_DIGITS = 9;

    private ServerOptions() {}

    /// Whether it is the server that is asked about; strict HTTP lets `*` pass with `OPTIONS` alone.
    static boolean isOfServer(SentTarget sent) {
        return sent.path().equals(SentTarget.SERVER);
    }

    static Response ofServer() {
        return Response.of(200);
    }

    /// Whether a request says more than once how far it may go: the next server may go by another than the first.
    static boolean isAmbiguous(String method, HeaderMap fields) {
        return counts(method) && fields.count(MAX_FORWARDS) > 1;
    }

    /// Whether the gateway is the last that a request may come to; if not, it counts as one of those that it came by.
    /// What is no number is not looked at.
    static boolean endsHere(String method, HeaderMap fields) {
        if (!counts(method)) return false;
        String sent = fields.getFirst(MAX_FORWARDS);
        if (sent == null || !isNumber(sent)) return false;
        int left = Integer.parseInt(sent);
        if (left > 0) fields.put(MAX_FORWARDS, left - 1);
        return left == 0;
    }

    private static boolean counts(String method) {
        return method.equals(Methods.OPTIONS_STRING) || method.equals(Methods.TRACE_STRING);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /// What the last recipient answers.
    static Response of(Route route, RequestHead head, HeaderMap fields) {
        if (head.method().equals(Methods.TRACE_STRING)) return Response.of(200, "message/http", way(head, fields));
        RouteMatch.WrongMethod served =
                RouteMatch.WrongMethod.of(route.api().match().methods());
        return Response.of(200).with("Allow", String.join(", ", served.allowed()));
    }

    /// A traced request, as far as it tells of its way (RFC 9110 §9.3.8). Any other field, and the query, may
    /// be secret: which of them an API takes keys from is for its policies to say, and none of them has seen
    /// this request.
    private static byte[] way(RequestHead head, HeaderMap fields) {
        var text = new StringBuilder("TRACE ").append(head.rawPath()).append(" HTTP/1.1\r\n");
        for (HttpString name : WAY) {
            HeaderValues values = fields.get(name);
            if (values == null) continue;
            for (String value : values)
                text.append(name).append(": ").append(value).append("\r\n");
        }
        return text.append("\r\n").toString().getBytes(ISO_8859_1);
    }
}
