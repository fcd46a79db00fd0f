package gateway.wire.client;

import gateway.wire.http2.Frame;
import io.undertow.protocols.http2.HpackDecoder;
import io.undertow.protocols.http2.HpackException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// One `GET` on a connection of its own, with HTTP/2 and blocking reads. Of the answer only the status is read.
final class Http2Probe {
    private static final int STREAM = 1;

    private final Socket socket;
    private final long deadline;
    private int status;

    /// @param deadline by [System#nanoTime]
    Http2Probe(Socket socket, long deadline) {
        this.socket = socket;
        this.deadline = deadline;
    }

    /// The status of the answer; 0 when it is none.
    int status(Target target, String path) throws IOException {
        var section = new ByteArrayOutputStream();
        GrpcProbe.field(section, ":method", "GET");
        GrpcProbe.field(section, ":scheme", target.address().tls() == null ? "http" : "https");
        GrpcProbe.field(section, ":path", path);
        GrpcProbe.field(section, ":authority", target.authority());
        GrpcProbe.field(section, "user-agent", "gateway-health-check");
        GrpcProbe.field(section, "accept", "*/*");
        var request = new ByteArrayOutputStream();
        request.writeBytes(Frame.PREFACE.getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(GrpcProbe.frame(Frame.SETTINGS, 0, 0));
        request.writeBytes(
                GrpcProbe.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, STREAM, section.toByteArray()));
        socket.getOutputStream().write(request.toByteArray());
        return answer();
    }

    /// The status of the first head that is not interim. One in several frames is none: no server needs that for it.
    private int answer() throws IOException {
        var hpack = new HpackDecoder();
        hpack.setHeaderEmitter((name, value, _) -> {
            if (name.toString().equals(":status") && value.matches("[1-5][0-9]{2}")) status = Integer.parseInt(value);
        });
        while (true) {
            ByteBuffer numbers = ByteBuffer.wrap(octets(Frame.HEADER_BYTES));
            int length = numbers.getInt(0) >>> 8;
            int flags = numbers.get(4);
            if (length > Frame.MAX_PAYLOAD) return 0;
            byte[] payload = octets(length);
            switch (numbers.get(3)) {
                case Frame.SETTINGS -> {
                    if (!Frame.has(flags, Frame.ACK)) reply(Frame.SETTINGS);
                }
                case Frame.PING -> {
                    if (!Frame.has(flags, Frame.ACK)) reply(Frame.PING, payload);
                }
                case Frame.HEADERS -> {
                    if (!Frame.has(flags, Frame.END_HEADERS)) return 0;
                    decode(hpack, flags, payload);
                    if (status >= 200) return status;
                }
                case Frame.RST_STREAM, Frame.GOAWAY -> {
                    return 0;
                }
                default -> {} // of no use here
            }
        }
    }

    private static void decode(HpackDecoder hpack, int flags, byte[] payload) throws IOException {
        ByteBuffer section = ByteBuffer.wrap(payload);
        try {
            if (Frame.has(flags, Frame.PADDED)) section.limit(section.limit() - (section.get() & 0xff));
            if (Frame.has(flags, Frame.PRIORITIZED)) section.position(section.position() + 5);
            hpack.decode(section, false);
        } catch (HpackException | RuntimeException e) {
            throw new IOException("not a field section", e);
        }
    }

    private void reply(int type, byte... payload) throws IOException {
        socket.getOutputStream().write(GrpcProbe.frame(type, Frame.ACK, 0, payload));
    }

    private byte[] octets(int count) throws IOException {
        byte[] octets = new byte[count];
        InputStream in = socket.getInputStream();
        int have = 0;
        while (have < count) {
            socket.setSoTimeout(HealthProbe.millisUntil(deadline));
            int read = in.read(octets, have, count - have);
            if (read < 0) throw new IOException("the server closed the connection");
            have += read;
        }
        return octets;
    }
}
