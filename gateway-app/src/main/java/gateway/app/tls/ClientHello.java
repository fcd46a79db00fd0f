package gateway.app.tls;

import java.nio.ByteBuffer;

/// The first message of a TLS client (RFC 8446 §4.1.2), which may come in several records (§5.1).
final class ClientHello {
    private static final int RECORD_HEADER = 5;
    private static final int HANDSHAKE = 22;
    private static final int MAJOR_VERSION = 3;
    private static final int LONGEST_FRAGMENT = 1 << 14;
    private static final int MESSAGE_HEADER = 4;
    private static final int CLIENT_HELLO = 1;

    private ClientHello() {}

    /// Whether `received` is the beginning of one, and not all. What is no beginning of one is for an engine to refuse.
    static boolean isUnfinished(ByteBuffer received) {
        long header = 0; // of the message, as far as it has come
        int seen = 0; // of the message
        int at = received.position();
        while (true) {
            int left = received.limit() - at;
            if (left > 0 && received.get(at) != HANDSHAKE) return false;
            if (left > 1 && received.get(at + 1) != MAJOR_VERSION) return false;
            if (left < RECORD_HEADER) return true;
            int length = received.getShort(at + 3) & 0xffff;
            if (length == 0 || length > LONGEST_FRAGMENT) return false;
            int here = Math.min(length, left - RECORD_HEADER);
            for (int i = 0; i < here && seen + i < MESSAGE_HEADER; i++) {
                header = (header << 8) | (received.get(at + RECORD_HEADER + i) & 0xff);
            }
            seen += here;
            if (seen > 0 && header >>> (8 * (Math.min(seen, MESSAGE_HEADER) - 1)) != CLIENT_HELLO) return false;
            if (here < length) return true;
            if (seen >= MESSAGE_HEADER && seen - MESSAGE_HEADER >= (header & 0xffffff)) return false;
            at += RECORD_HEADER + length;
        }
    }
}
