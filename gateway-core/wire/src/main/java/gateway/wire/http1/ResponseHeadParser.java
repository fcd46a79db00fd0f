package gateway.wire.http1;

import gateway.wire.io.FieldNames;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Strict parser of response heads (RFC 9112 §4 and §5): CRLF line ends, no folding, token names, one framing; blanks
/// before a colon are taken out. One for each IO thread; keeps nothing between heads but its scratch space and the
/// names it has seen.
public final class ResponseHeadParser {
    public static final int LONGEST_HEAD = 64 * 1024;
    private static final int MOST_FIELDS = 200;
    private static final byte[] VERSION = {'H', 'T', 'T', 'P', '/', '1', '.'};

    private final FieldNames names = new FieldNames();
    private final List<String> named = new ArrayList<>(4); // fields that Connection names
    private byte[] head = new byte[2 * 1024];
    private long contentLength;
    private boolean chunked;
    private boolean close;
    private boolean keep;
    private boolean upgrade;
    private boolean webSocket;
    private ResponseHead latest = new ResponseHead(0, 0, false, false);
    private HeaderMap interimFields = new HeaderMap();

    /// The fields of the latest 1xx head.
    public HeaderMap interimFields() {
        return interimFields;
    }

    /// Takes one head off `in` and adds its end-to-end fields to `fields`; null, and nothing is taken, while it
    /// is not all there.
    @Nullable
    public ResponseHead parse(ByteBuffer in, HeaderMap fields) throws MalformedResponseException {
        int length = headLength(in);
        if (length < 0) {
            if (in.remaining() >= LONGEST_HEAD) throw new MalformedResponseException("response head too long");
            return null;
        }
        in.position(in.position() + length);
        contentLength = -1;
        chunked = false;
        close = false;
        keep = false;
        upgrade = false;
        webSocket = false;
        named.clear();
        int line = statusLineEnd(length);
        int status = status(line);
        boolean http10 = head[7] == '0';
        HeaderMap into = fields;
        if (status < 200 && status != ResponseHead.SWITCHING_PROTOCOLS) {
            interimFields = new HeaderMap();
            into = interimFields;
        }
        fields(line + 2, length - 2, into);
        for (int i = 0; i < named.size(); i++) into.remove(new HttpString(named.get(i)));
        if (chunked && contentLength >= 0)
            throw new MalformedResponseException("both Content-Length and Transfer-Encoding");
        if (chunked && http10) throw new MalformedResponseException("Transfer-Encoding in HTTP/1.0");
        if (status == ResponseHead.SWITCHING_PROTOCOLS && contentLength >= 0)
            throw new MalformedResponseException("Content-Length with 101");
        if (chunked && (status < 200 || status == 204))
            throw new MalformedResponseException("Transfer-Encoding with " + status);
        return head(status, http10 ? keep && !close : !close);
    }

    /// Whether the latest head switches to WebSocket (RFC 6455 §4.1), if its status is 101.
    public boolean switchesToWebSocket() {
        return upgrade && webSocket;
    }

    /// The head just parsed: the one before it again when it says the same, as most do.
    private ResponseHead head(int status, boolean keepAlive) {
        if (!latest.says(status, contentLength, chunked, keepAlive)) {
            latest = new ResponseHead(status, contentLength, chunked, keepAlive);
        }
        return latest;
    }

    /// Field lines without a start line, as trailers are; null while the empty line is missing.
    @Nullable
    HeaderMap parseTrailers(ByteBuffer in) throws MalformedResponseException {
        if (in.remaining() < 2) return null;
        if (in.get(in.position()) == '\r' && in.get(in.position() + 1) == '\n') {
            in.position(in.position() + 2);
            return new HeaderMap();
        }
        int length = headLength(in);
        if (length < 0) {
            if (in.remaining() >= LONGEST_HEAD) throw new MalformedResponseException("trailers too long");
            return null;
        }
        in.position(in.position() + length);
        contentLength = -1;
        chunked = false;
        named.clear();
        HeaderMap trailers = new HeaderMap();
        fields(0, length - 2, trailers);
        if (chunked || contentLength >= 0) throw new MalformedResponseException("framing fields in trailers");
        return trailers;
    }

    /// Copies what may be a head to the scratch space and finds its end, the empty line included; -1 when there is
    /// none.
    private int headLength(ByteBuffer in) throws MalformedResponseException {
        int available = Math.min(in.remaining(), LONGEST_HEAD);
        int copied = 0;
        int searched = 0;
        while (copied < available) {
            int upTo = copied == 0 ? Math.min(available, 1024) : available;
            if (head.length < upTo) head = Arrays.copyOf(head, Math.max(upTo, head.length * 2));
            in.get(in.position() + copied, head, copied, upTo - copied);
            copied = upTo;
            int end = endOfHead(searched, copied);
            if (end >= 0) return end;
            searched = Math.max(0, copied - 3);
        }
        requireLineEnds(copied);
        return -1;
    }

    /// What has come has no end; where a line ends in LF alone none may ever come, and none is waited for.
    private void requireLineEnds(int to) throws MalformedResponseException {
        for (int i = 0; i < to; i++) {
            if (head[i] == '\n' && (i == 0 || head[i - 1] != '\r'))
                throw new MalformedResponseException("LF without CR");
        }
    }

    private int endOfHead(int from, int to) {
        for (int i = from; i + 3 < to; i++) {
            if (head[i + 3] > '\r') i += 3; // no part of CR LF CR LF
            else if (head[i] == '\r' && head[i + 1] == '\n' && head[i + 2] == '\r' && head[i + 3] == '\n') return i + 4;
        }
        return -1;
    }

    private int statusLineEnd(int length) throws MalformedResponseException {
        int end = lineEnd(0, length);
        if (end < 12 || !Arrays.equals(head, 0, VERSION.length, VERSION, 0, VERSION.length)) {
            throw new MalformedResponseException("no status line");
        }
        if (head[7] < '0' || head[7] > '9' || head[8] != ' ' || (end > 12 && head[12] != ' ')) {
            throw new MalformedResponseException("no status line");
        }
        return end;
    }

    private int status(int end) throws MalformedResponseException {
        int status = 0;
        for (int i = 9; i < 12; i++) {
            if (head[i] < '0' || head[i] > '9') throw new MalformedResponseException("no status code");
            status = status * 10 + head[i] - '0';
        }
        requireText(12, end);
        if (status < 100) throw new MalformedResponseException("status " + status);
        return status;
    }

    private void fields(int from, int to, HeaderMap fields) throws MalformedResponseException {
        int count = 0;
        for (int at = from; at < to; ) {
            int end = lineEnd(at, to);
            if (++count > MOST_FIELDS) throw new MalformedResponseException("too many fields");
            field(at, end, fields);
            at = end + 2;
        }
    }

    private void field(int from, int end, HeaderMap fields) throws MalformedResponseException {
        int colon = from;
        while (colon < end && head[colon] != ':') colon++;
        if (colon == end) throw new MalformedResponseException("field without colon");
        int nameEnd = colon;
        while (nameEnd > from && isBlank(head[nameEnd - 1])) nameEnd--; // to be removed, RFC 9112 §5.1
        FieldNames.Known known = names.find(head, from, nameEnd);
        if (known == null) throw new MalformedResponseException("field name is no token");
        int begin = colon + 1;
        while (begin < end && isBlank(head[begin])) begin++;
        while (end > begin && isBlank(head[end - 1])) end--;
        requireText(begin, end);
        String value = known.value(head, begin, end);
        switch (known.kind()) {
            case END_TO_END -> fields.add(known.name(), value);
            case CONTENT_LENGTH -> {
                length(value);
                fields.put(known.name(), value);
            }
            case TRANSFER_ENCODING -> {
                if (chunked || !value.equalsIgnoreCase("chunked"))
                    throw new MalformedResponseException("transfer coding");
                chunked = true;
            }
            case CONNECTION -> connection(value);
            case HOP_BY_HOP -> {
                if (known.name().equals(Headers.UPGRADE)) webSocket = value.equalsIgnoreCase("websocket");
            }
        }
    }

    private void length(String value) throws MalformedResponseException {
        if (value.isEmpty() || value.length() > 18) throw new MalformedResponseException("Content-Length");
        long length = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') throw new MalformedResponseException("Content-Length");
            length = length * 10 + c - '0';
        }
        if (contentLength >= 0 && contentLength != length) throw new MalformedResponseException("two Content-Length");
        contentLength = length;
    }

    private void connection(String value) {
        if (value.equalsIgnoreCase("keep-alive")) {
            keep = true;
            return;
        }
        for (String option : value.split(",", -1)) {
            String name = option.trim();
            if (name.equalsIgnoreCase("close")) close = true;
            else if (name.equalsIgnoreCase("keep-alive")) keep = true;
            else if (!name.isEmpty()) {
                upgrade |= name.equalsIgnoreCase("upgrade");
                named.add(name);
            }
        }
    }

    /// Where the line that begins at `from` ends, before its CR LF.
    private int lineEnd(int from, int to) throws MalformedResponseException {
        for (int i = from; i < to; i++) {
            if (head[i] == '\r') {
                if (head[i + 1] != '\n') throw new MalformedResponseException("CR without LF");
                return i;
            }
            if (head[i] == '\n') throw new MalformedResponseException("LF without CR");
        }
        throw new MalformedResponseException("line without end");
    }

    private void requireText(int from, int to) throws MalformedResponseException {
        for (int i = from; i < to; i++) {
            byte c = head[i];
            if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7f)
                throw new MalformedResponseException("control character");
        }
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t';
    }
}
