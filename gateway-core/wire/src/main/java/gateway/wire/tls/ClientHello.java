package gateway.wire.tls;

import java.nio.ByteBuffer;

/// The first message of a TLS client (RFC 8446 §4.1.2), which may come in several records (§5.1).
final class ClientHello {
    private static final int RECORD_HEADER = 5;
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int HANDSHAKE = 22;
    private static final int APPLICATION_DATA = 23;
    private static final int MAJOR_VERSION = 3;
    private static final int LONGEST_FRAGMENT = 1 << 14;
    private static final int MESSAGE_HEADER = 4;
    private static final int CLIENT_HELLO = 1;

    private ClientHello() {}

    /// Whether `received` may become one, or is a record of another kind that has not come whole. What is none is for
    /// an engine to refuse, which is made for whole records only: one that waits for the rest costs far more.
    static boolean isUnfinished(ByteBuffer received) {
        long header = 0; // of the message, as far as it has come
        int seen = 0; // of the message
        int at = received.position();
        while (true) {
            int left = received.limit() - at;
            if (left > 0 && !isRecord(received.get(at))) return false;
            if (left > 1 && received.get(at + 1) != MAJOR_VERSION) return false;
            if (left < RECORD_HEADER) return true;
            int length = received.getShort(at + 3) & 0xffff;
            if (length == 0 || length > LONGEST_FRAGMENT) return false;
            int here = Math.min(length, left - RECORD_HEADER);
            if (received.get(at) != HANDSHAKE) return here < length;
            for (int i = 0; i < here && seen + i < MESSAGE_HEADER; i++) {
                header = (header << 8) | (received.get(at + RECORD_HEADER + i) & 0xff);
            }
            seen += here;
            if (here < length) return true;
            if (header >>> (8 * (Math.min(seen, MESSAGE_HEADER) - 1)) != CLIENT_HELLO) return false;
            if (seen >= MESSAGE_HEADER && seen - MESSAGE_HEADER >= (header & 0xffffff)) return false;
            at += RECORD_HEADER + length;
        }
    }

    /// Of TLS, from change_cipher_spec to application_data (RFC 8446 §5.1).
    private static boolean isRecord(byte type) {
        return type >= CHANGE_CIPHER_SPEC && type <= APPLICATION_DATA;
    }
}
