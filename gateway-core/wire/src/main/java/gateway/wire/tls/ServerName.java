package gateway.wire.tls;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The name that a client asks for in its first message (SNI, RFC 6066 §3), as it stands there. Engines know names of
/// hosts only, and the JDK's ends the handshake for others, such as `a_b.example`.
final class ServerName {
    private static final int RECORD_HEADER = 5;
    private static final int MESSAGE_HEADER = 4;
    private static final int VERSION_AND_RANDOM = 2 + 32;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;

    private ServerName() {}

    /// @param received from the first byte of the connection on
    /// @return empty when there is none, or no such message: engines judge that
    static String in(ByteBuffer received) {
        try {
            ByteBuffer hello = message(received.duplicate());
            var _ = part(hello, MESSAGE_HEADER + VERSION_AND_RANDOM);
            var _ = part(hello, hello.get() & 0xff); // session id
            var _ = part(hello, length(hello)); // cipher suites
            var _ = part(hello, hello.get() & 0xff); // compression
            return amongExtensions(part(hello, length(hello)));
        } catch (BufferUnderflowException e) {
            return "";
        }
    }

    private static String amongExtensions(ByteBuffer extensions) {
        while (extensions.hasRemaining()) {
            int type = extensions.getShort();
            ByteBuffer extension = part(extensions, length(extensions));
            if (type == SERVER_NAME) return amongNames(part(extension, length(extension)));
        }
        return "";
    }

    private static String amongNames(ByteBuffer names) {
        while (names.hasRemaining()) {
            int type = names.get();
            ByteBuffer name = part(names, length(names));
            if (type == HOST_NAME)
                return StandardCharsets.ISO_8859_1.decode(name).toString();
        }
        return "";
    }

    /// What whole records carry, one after the other.
    private static ByteBuffer message(ByteBuffer records) {
        ByteBuffer message = ByteBuffer.allocate(records.remaining());
        while (records.remaining() >= RECORD_HEADER) {
            records.position(records.position() + RECORD_HEADER - Short.BYTES);
            message.put(part(records, Math.min(length(records), records.remaining())));
        }
        return message.flip();
    }

    private static int length(ByteBuffer from) {
        return from.getShort() & 0xffff;
    }

    private static ByteBuffer part(ByteBuffer from, int length) {
        if (length > from.remaining()) throw new BufferUnderflowException();
        ByteBuffer part = from.slice(from.position(), length);
        from.position(from.position() + length);
        return part;
    }
}
