package gateway.app.server.h2;

/// Numbers of the frame layout (RFC 9113 §4.1, §6).
final class Frame {
    static final int HEADER_BYTES = 9;
    static final int MAX_PAYLOAD = 16 * 1024; // what every peer takes, and the most that is taken here

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

    static final int END_STREAM = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int PRIORITIZED = 0x20;

    static final int HEADER_TABLE_SIZE = 1; // settings, RFC 9113 §6.5.2
    static final int ENABLE_PUSH = 2;
    static final int MAX_CONCURRENT_STREAMS = 3;
    static final int INITIAL_WINDOW_SIZE = 4;
    static final int MAX_FRAME_SIZE = 5;
    static final int MAX_HEADER_LIST_SIZE = 6;

    private Frame() {}

    static boolean has(int flags, int flag) {
        return (flags & flag) != 0;
    }
}
