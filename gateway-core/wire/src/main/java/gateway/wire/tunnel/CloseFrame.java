package gateway.wire.tunnel;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/// The frame that says that an end of a WebSocket goes away (RFC 6455 §5.5.1, §7.4.1: 1001).
public final class CloseFrame {
    private static final int GOING_AWAY = 1001;
    private static final byte CLOSE = (byte) 0x88; // the only fragment
    private static final byte MASKED = (byte) 0x80;

    private CloseFrame() {}

    /// As servers send it.
    public static ByteBuffer toClient() {
        return ByteBuffer.allocate(4)
                .put(CLOSE)
                .put((byte) 2)
                .putShort((short) GOING_AWAY)
                .flip();
    }

    /// As clients have to send it.
    public static ByteBuffer toServer() {
        int mask = ThreadLocalRandom.current().nextInt();
        return ByteBuffer.allocate(8)
                .put(CLOSE)
                .put((byte) (MASKED | 2))
                .putInt(mask)
                .putShort((short) (GOING_AWAY ^ mask >>> 16))
                .flip();
    }
}
