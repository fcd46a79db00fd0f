package gateway.wire.client;

import gateway.http.Outgoing;
import gateway.wire.io.HeadWriter;
import gateway.wire.io.HttpVersion;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Writes the head of a request to an upstream, and those of interim responses from it.
final class RequestHeadWriter {
    private static final byte[] VERSION_AND_HOST = " HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.ISO_8859_1);

    private static final byte[] UPGRADE =
            "Connection: Upgrade\r\nUpgrade: websocket\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private static final String NAME = " gateway"; // by which `Via` knows it

    private static final HttpString METHOD = new HttpString(":method");
    private static final HttpString SCHEME = new HttpString(":scheme");
    private static final HttpString AUTHORITY = new HttpString(":authority");
    private static final HttpString PATH = new HttpString(":path");

    private RequestHeadWriter() {}

    /// Everything but the framing fields and the empty line.
    static void begin(HeadWriter to, WireCall call) {
        Outgoing outgoing = call.outgoing;
        Target target = call.target;
        HeaderMap fields = call.client.requestFields();
        to.clear().put(outgoing.method()).put(' ').put(target.basePath()).put(outgoing.path());
        String query = outgoing.query();
        if (!query.isEmpty()) to.put('?').put(query);
        to.put(VERSION_AND_HOST).put(authority(call)).end();
        fields(to, fields);
        HttpVersion via = call.client.via();
        if (via != null) to.put("Via: ").put(via.number()).put(NAME).end(); // behind those of others, as one list
        if (call.client.handshake() != null) to.put(UPGRADE);
    }

    /// What the request is for, whichever server it goes to.
    private static String authority(WireCall call) {
        String rewritten = call.outgoing.authority();
        if (!rewritten.isEmpty()) return rewritten;
        String asked = call.terms.preserveHost() ? call.client.requestFields().getFirst(Headers.HOST) : null;
        return asked == null ? call.target.authority() : asked;
    }

    /// Every field line but those that this hop decides by itself.
    static void fields(HeadWriter to, HeaderMap fields) {
        for (long at = fields.fastIterateNonEmpty(); at != -1L; at = fields.fiNextNonEmpty(at)) {
            HeaderValues values = fields.fiCurrent(at);
            HttpString name = values.getHeaderName();
            if (isOfThisHop(name)) continue;
            for (int i = 0; i < values.size(); i++) to.line(name, values.get(i));
        }
    }

    /// The same as fields of HTTP/2, `content-length` and `expect` apart.
    static HeaderMap fields(WireCall call) {
        Outgoing outgoing = call.outgoing;
        Target target = call.target;
        HeaderMap fields = call.client.requestFields();
        String path = target.basePath() + outgoing.path();
        String query = outgoing.query();
        var head = new HeaderMap();
        head.put(METHOD, outgoing.method());
        head.put(SCHEME, target.address().tls() == null ? "http" : "https");
        head.put(AUTHORITY, authority(call));
        head.put(PATH, query.isEmpty() ? path : path + '?' + query);
        for (long at = fields.fastIterateNonEmpty(); at != -1L; at = fields.fiNextNonEmpty(at)) {
            HeaderValues values = fields.fiCurrent(at);
            HttpString name = values.getHeaderName();
            if (isOfThisHop(name) && !name.equals(Headers.TE)) continue;
            for (int i = 0; i < values.size(); i++) head.add(name, values.get(i));
        }
        HttpVersion via = call.client.via();
        if (via != null) head.add(Headers.VIA, via.number() + NAME);
        return head;
    }

    /// The head of an interim response that the IO thread's parser has just read, to be passed on.
    static ByteBuffer interim(IoThreadResources ioThread, int status) {
        return interim(ioThread, status, ioThread.headParser().interimFields());
    }

    /// The head of an interim response, to be passed on.
    static ByteBuffer interim(IoThreadResources ioThread, int status, HeaderMap fields) {
        HeadWriter writer = ioThread.headWriter().clear().put("HTTP/1.1 " + status + " Interim\r\n");
        fields(writer, fields);
        return ByteBuffer.wrap(writer.end().toBytes());
    }

    private static boolean isOfThisHop(HttpString name) {
        return switch (name.length()) {
            case 2 -> name.equals(Headers.TE);
            case 4 -> name.equals(Headers.HOST);
            case 6 -> name.equals(Headers.EXPECT);
            case 14 -> name.equals(Headers.CONTENT_LENGTH);
            default -> false;
        };
    }
}
