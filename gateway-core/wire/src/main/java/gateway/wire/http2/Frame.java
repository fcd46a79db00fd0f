package gateway.wire.http2;

import java.nio.ByteBuffer;

/// The frame layout (RFC 9113 §4.1, §6).
public final class Frame {
    /// With which a client begins (RFC 9113 §3.4).
    public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    public static final int HEADER_BYTES = 9;
    public static final int MAX_PAYLOAD = 16 * 1024; // what every peer takes, and the most that is taken here

    public static final int PRIORITY_BYTES = 5;
    public static final int SETTING_BYTES = 6;

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int END_STREAM = 0x1;
    public static final int ACK = 0x1;
    public static final int END_HEADERS = 0x4;
    public static final int PADDED = 0x8;
    public static final int PRIORITIZED = 0x20;

    public static final int HEADER_TABLE_SIZE = 1; // settings, RFC 9113 §6.5.2
    public static final int ENABLE_PUSH = 2;
    public static final int MAX_CONCURRENT_STREAMS = 3;
    public static final int INITIAL_WINDOW_SIZE = 4;
    public static final int MAX_FRAME_SIZE = 5;
    public static final int MAX_HEADER_LIST_SIZE = 6;
    public static final int ENABLE_CONNECT_PROTOCOL = 8; // RFC 8441 §3

    private Frame() {}

    public static boolean has(int flags, int flag) {
        return (flags & flag) != 0;
    }

    /// Takes the padding of DATA and HEADERS off (RFC 9113 §6.1).
    public static void unpad(int flags, ByteBuffer payload) throws Http2Exception {
        if (!has(flags, PADDED)) return;
        if (!payload.hasRemaining()) throw Http2Exception.size();
        int padding = payload.get() & 0xff;
        if (padding > payload.remaining()) throw Http2Exception.broken("more padding than frame");
        payload.limit(payload.limit() - padding);
    }

    /// Leaves the fields of HEADERS, without padding and priority (RFC 9113 §6.2).
    public static void bareHead(int flags, int stream, ByteBuffer payload) throws Http2Exception {
        unpad(flags, payload);
        if (!has(flags, PRIORITIZED)) return;
        if (payload.remaining() < PRIORITY_BYTES) throw Http2Exception.size();
        priority(stream, payload);
    }

    /// Passes over a priority: none is heeded, but a stream that depends on itself breaks the protocol (RFC 7540 §5.3.1).
    public static void priority(int stream, ByteBuffer payload) throws Http2Exception {
        int dependsOn = payload.getInt() & Integer.MAX_VALUE;
        payload.position(payload.position() + PRIORITY_BYTES - Integer.BYTES);
        if (dependsOn == stream) throw Http2Exception.broken("stream " + stream + " depends on itself");
    }
}
