package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.undertow.protocols.http2.HpackDecoder;
import io.undertow.protocols.http2.HpackException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/// A client that writes HTTP/2 frame by frame, right or wrong. Fields are sent as literals; a read that takes longer
/// than the connection's patience fails.
final class Http2Wire implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    static final int PROTOCOL_ERROR = 1;
    static final int FLOW_CONTROL_ERROR = 3;
    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;
    static final int ENHANCE_YOUR_CALM = 11;

    private final RawConnection connection;
    private final HpackDecoder hpack = new HpackDecoder();

    /// One frame that came.
    ///
    /// @param payload as Latin-1
    record Frame(int type, int flags, int stream, String payload) {
        boolean ends() {
            return type != SETTINGS && type != PING && (flags & END_STREAM) != 0;
        }

        /// The error of a RST_STREAM or of a GOAWAY.
        int code() {
            return ByteBuffer.wrap(octets()).getInt(type == GOAWAY ? 4 : 0);
        }

        byte[] octets() {
            return payload.getBytes(ISO_8859_1);
        }
    }

    /// One response that came whole.
    record Answer(Map<String, String> fields, String content, Map<String, String> trailers) {
        String status() {
            return fields.getOrDefault(":status", "");
        }
    }

    Http2Wire(InetSocketAddress address) throws IOException {
        this(RawConnection.to(address));
    }

    Http2Wire(RawConnection connection) {
        this.connection = connection;
    }

    /// The server's side of a connection that a client has begun: takes its preface and settings.
    static Http2Wire serving(RawConnection connection) throws IOException {
        connection.in().readNBytes(24);
        return new Http2Wire(connection);
    }

    /// Sends the preface and empty settings.
    Http2Wire begin() throws IOException {
        connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        return frame(SETTINGS, 0, 0);
    }

    RawConnection connection() {
        return connection;
    }

    static byte[] bytes(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    /// A setting as it stands in a frame.
    static byte[] setting(int number, int value) {
        return ByteBuffer.allocate(6).putShort((short) number).putInt(value).array();
    }

    Http2Wire frame(int type, int flags, int stream, byte... payload) throws IOException {
        connection.send(bytes(type, flags, stream, payload));
        return this;
    }

    /// @param fields name, value, name, value …
    Http2Wire headers(int stream, boolean last, String... fields) throws IOException {
        return frame(HEADERS, END_HEADERS | (last ? END_STREAM : 0), stream, section(fields));
    }

    Http2Wire get(int stream, String path) throws IOException {
        return headers(stream, true, head("GET", path));
    }

    Http2Wire post(int stream, String path, String... more) throws IOException {
        return headers(stream, false, joined(head("POST", path), more));
    }

    Http2Wire data(int stream, boolean last, String content) throws IOException {
        return frame(DATA, last ? END_STREAM : 0, stream, content.getBytes(ISO_8859_1));
    }

    static String[] head(String method, String path) {
        return new String[] {":method", method, ":scheme", "http", ":authority", "a.example", ":path", path};
    }

    static String[] joined(String[] first, String... more) {
        String[] all = java.util.Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }

    /// Literals without indexing (RFC 7541 §6.2.2).
    static byte[] section(String... fields) {
        var octets = new ByteArrayOutputStream();
        for (int i = 0; i < fields.length; i += 2) {
            octets.write(0);
            string(octets, fields[i]);
            string(octets, fields[i + 1]);
        }
        return octets.toByteArray();
    }

    private static void string(ByteArrayOutputStream to, String text) {
        byte[] octets = text.getBytes(ISO_8859_1);
        int left = octets.length;
        if (left < 127) {
            to.write(left);
        } else {
            to.write(127);
            for (left -= 127; left >= 128; left /= 128) to.write(left % 128 + 128);
            to.write(left);
        }
        to.writeBytes(octets);
    }

    Frame next() throws IOException {
        byte[] head = connection.in().readNBytes(9);
        if (head.length < 9) throw new EOFException();
        ByteBuffer numbers = ByteBuffer.wrap(head);
        byte[] payload = connection.in().readNBytes(numbers.getInt(0) >>> 8);
        return new Frame(numbers.get(3), numbers.get(4), numbers.getInt(5), new String(payload, ISO_8859_1));
    }

    /// The next frame of that type, whatever comes before.
    Frame next(int type) throws IOException {
        while (true) {
            Frame frame = next();
            if (frame.type() == type) return frame;
        }
    }

    Map<String, String> fields(Frame headers) {
        var fields = new LinkedHashMap<String, String>();
        hpack.setHeaderEmitter((name, value, _) -> fields.merge(name.toString(), value, (a, b) -> a + "|" + b));
        try {
            hpack.decode(ByteBuffer.wrap(headers.octets()), false);
        } catch (HpackException e) {
            throw new UncheckedIOException(new IOException(e));
        }
        return fields;
    }

    /// The response on `stream`, its content taken as it comes.
    Answer answer(int stream) throws IOException {
        Map<String, String> fields = Map.of();
        Map<String, String> trailers = Map.of();
        var content = new StringBuilder();
        while (true) {
            Frame frame = next();
            if (frame.type() == GOAWAY || (frame.type() == RST_STREAM && frame.stream() == stream))
                throw new IOException("ended by " + frame.code());
            if (frame.type() == HEADERS) {
                Map<String, String> got = fields(frame);
                if (frame.stream() != stream) continue;
                if (got.containsKey(":status")) fields = got;
                else trailers = got;
            } else if (frame.type() == DATA) {
                if (!frame.payload().isEmpty())
                    frame(WINDOW_UPDATE, 0, 0, number(frame.payload().length()));
                if (frame.stream() != stream) continue;
                content.append(frame.payload());
                if (!frame.ends() && !frame.payload().isEmpty())
                    frame(WINDOW_UPDATE, 0, stream, number(frame.payload().length()));
            }
            if (frame.ends() && frame.stream() == stream) return new Answer(fields, content.toString(), trailers);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
