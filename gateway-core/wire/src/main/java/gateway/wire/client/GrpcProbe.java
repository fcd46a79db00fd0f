package gateway.wire.client;

import gateway.wire.http2.Frame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;

/// One call of `grpc.health.v1.Health/Check` (gRPC Health Checking Protocol) on a connection of its own, with HTTP/2 by
/// prior knowledge, or over TLS, and blocking reads. Of the answer only what it needs is read: a server that says
/// SERVING and ends.
final class GrpcProbe {
    private static final int STREAM = 1;
    private static final int MESSAGE_PREFIX = 5; // whether compressed, and four octets of length
    private static final int FIELD_1_VARINT = 0x08; // Protocol Buffers: HealthCheckResponse.status
    private static final int FIELD_1_TEXT = 0x0a; // HealthCheckRequest.service
    private static final int SERVING = 1;
    private static final int LONGEST_ANSWER = 1024;

    private final Socket socket;
    private final long deadline;

    /// @param deadline by [System#nanoTime]
    GrpcProbe(Socket socket, long deadline) {
        this.socket = socket;
        this.deadline = deadline;
    }

    /// @param service that is asked about; empty text: the server as a whole
    boolean serves(String authority, String service) throws IOException {
        var request = new ByteArrayOutputStream();
        request.writeBytes(Frame.PREFACE.getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(frame(Frame.SETTINGS, 0, 0));
        request.writeBytes(frame(Frame.HEADERS, Frame.END_HEADERS, STREAM, head(authority, socket)));
        request.writeBytes(frame(Frame.DATA, Frame.END_STREAM, STREAM, message(service)));
        socket.getOutputStream().write(request.toByteArray());
        return isServing(answer());
    }

    /// The content of the answer; empty when it has none, or is none.
    private byte[] answer() throws IOException {
        var content = new ByteArrayOutputStream();
        while (content.size() <= LONGEST_ANSWER) {
            ByteBuffer numbers = ByteBuffer.wrap(octets(Frame.HEADER_BYTES));
            int length = numbers.getInt(0) >>> 8;
            if (length > Frame.MAX_PAYLOAD) break;
            int type = numbers.get(3);
            int flags = numbers.get(4);
            byte[] payload = octets(length);
            if (numbers.getInt(5) == STREAM) {
                if (type == Frame.RST_STREAM) break;
                if (type == Frame.DATA) content.writeBytes(payload);
                if (Frame.has(flags, Frame.END_STREAM)) return content.toByteArray();
            } else if (!Frame.has(flags, Frame.ACK) && (type == Frame.SETTINGS || type == Frame.PING)) {
                byte[] echoed = type == Frame.PING ? payload : new byte[0];
                socket.getOutputStream().write(frame(type, Frame.ACK, 0, echoed));
            }
        }
        return new byte[0];
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

    private static boolean isServing(byte[] content) {
        return content.length >= MESSAGE_PREFIX + 2
                && content[0] == 0
                && content[MESSAGE_PREFIX] == FIELD_1_VARINT
                && content[MESSAGE_PREFIX + 1] == SERVING;
    }

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(Frame.HEADER_BYTES + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    private static byte[] message(String service) {
        byte[] name = service.getBytes(StandardCharsets.UTF_8);
        var message = new ByteArrayOutputStream();
        if (name.length > 0) {
            message.write(FIELD_1_TEXT);
            varint(message, name.length);
            message.writeBytes(name);
        }
        return ByteBuffer.allocate(MESSAGE_PREFIX + message.size())
                .put((byte) 0)
                .putInt(message.size())
                .put(message.toByteArray())
                .array();
    }

    private static byte[] head(String authority, Socket socket) {
        var section = new ByteArrayOutputStream();
        field(section, ":method", "POST");
        field(section, ":scheme", socket instanceof SSLSocket ? "https" : "http");
        field(section, ":path", "/grpc.health.v1.Health/Check");
        field(section, ":authority", authority);
        field(section, "content-type", "application/grpc");
        field(section, "te", "trailers");
        field(section, "user-agent", "gateway-health-check");
        return section.toByteArray();
    }

    /// As a literal without indexing, in plain octets (RFC 7541 §6.2.2).
    static void field(ByteArrayOutputStream to, String name, String value) {
        to.write(0);
        text(to, name);
        text(to, value);
    }

    private static void text(ByteArrayOutputStream to, String text) {
        byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
        if (octets.length < 0x7f) {
            to.write(octets.length);
        } else {
            to.write(0x7f);
            varint(to, octets.length - 0x7f);
        }
        to.writeBytes(octets);
    }

    /// Seven bits an octet, the lowest first; Protocol Buffers and HPACK have it alike.
    private static void varint(ByteArrayOutputStream to, int number) {
        int left = number;
        for (; left >= 0x80; left >>>= 7) to.write((left & 0x7f) | 0x80);
        to.write(left);
    }
}
