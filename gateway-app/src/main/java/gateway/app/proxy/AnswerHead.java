package gateway.app.proxy;

import gateway.wire.io.HeadWriter;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.HttpVersion;
import gateway.wire.io.ReasonPhrases;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.StatusCodes;
import java.nio.charset.StandardCharsets;

/// Writes the head of a response whose content has a known length, in one pass over its fields. What frames the
/// message is written here and nowhere else: such fields of the map are left out.
final class AnswerHead {
    private static final byte[] CONTENT_LENGTH = "Content-Length: ".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] KEEP_ALIVE = "Connection: keep-alive\r\n".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] CLOSE = "Connection: close\r\n".getBytes(StandardCharsets.ISO_8859_1);

    /// In place of the length of a response that has none: 204 and 304 (RFC 9110 §8.6).
    static final long WITHOUT_CONTENT = -2;

    private AnswerHead() {}

    /// @param length bytes of content that follow, or [#WITHOUT_CONTENT]
    static HeadWriter write(HeadWriter to, HttpTransaction transaction, HeaderMap fields, long length) {
        int status = transaction.status();
        if (asksToClose(fields) || status == StatusCodes.EXPECTATION_FAILED) transaction.endsConnection();
        transaction.version().start(to.clear()).put((long) status).put(' ');
        to.put(ReasonPhrases.of(status)).end();
        for (long at = fields.fastIterateNonEmpty(); at != -1L; at = fields.fiNextNonEmpty(at)) {
            HeaderValues values = fields.fiCurrent(at);
            HttpString name = values.getHeaderName();
            if (isFraming(name)) continue;
            for (int i = 0; i < values.size(); i++) to.line(name, values.get(i));
        }
        if (length != WITHOUT_CONTENT) to.put(CONTENT_LENGTH).put(length).end();
        if (!transaction.isPersistent()) to.put(CLOSE);
        else if (isKeptOpen(transaction)) to.put(KEEP_ALIVE);
        return to.end();
    }

    /// Whether a client of HTTP/1.0 has to be told that the connection stays: it waits for the end otherwise (RFC 9112
    /// §9.3).
    static boolean isKeptOpen(HttpTransaction transaction) {
        return transaction.version() == HttpVersion.HTTP_1_0 && transaction.isPersistent();
    }

    private static boolean asksToClose(HeaderMap fields) {
        String connection = fields.getFirst(Headers.CONNECTION);
        return connection != null && connection.equalsIgnoreCase("close");
    }

    private static boolean isFraming(HttpString name) {
        return switch (name.length()) {
            case 10 -> name.equals(Headers.CONNECTION);
            case 14 -> name.equals(Headers.CONTENT_LENGTH);
            case 17 -> name.equals(Headers.TRANSFER_ENCODING);
            default -> false;
        };
    }
}
