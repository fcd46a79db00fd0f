package gateway.wire.http2;

import gateway.wire.http1.HeadCost;
import gateway.wire.http1.WireLimits;
import java.time.Duration;

/// What one connection may ask for.
///
/// @param head how large the head of a request may be, a field counted as RFC 9113 §6.5.2 does
/// @param headerTimeout from the first byte of a connection to its settings, and of a head to its end
/// @param idleTimeout how long a connection may have no stream
/// @param bodyTimeout how long either side may stand still in the middle of a message
/// @param webSockets whether handshakes of WebSockets are taken (RFC 8441)
public record Http2Limits(
        WireLimits head, Duration headerTimeout, Duration idleTimeout, Duration bodyTimeout, boolean webSockets) {
    /// Streams at once.
    public static final int STREAMS = 128;

    /// Bytes of content that a stream may have sent and nobody read.
    static final int STREAM_WINDOW = Windows.INITIAL;

    /// The same of all streams of a connection together.
    static final int CONNECTION_WINDOW = 512 * 1024;

    /// Streams that a client may reset before they are answered: at once, and a second (CVE-2023-44487).
    static final int RESETS = 200;

    static final int RESETS_PER_SECOND = 20;

    /// Streams that end by a fault of the client, counted likewise (CVE-2025-8671).
    static final int FAULTS = 100;

    static final int FAULTS_PER_SECOND = 10;

    /// Frames that carry no request and no content (CVE-2019-9512, -9515, -9518): at once, and a second.
    static final int IDLE_FRAMES = 2_000;

    static final int IDLE_FRAMES_PER_SECOND = 1_000;

    /// Window updates: at once, a second, and for how many bytes of content one more is allowed.
    static final int WINDOW_UPDATES = 10_000;

    static final int WINDOW_UPDATES_PER_SECOND = 1_000;

    static final int WINDOW_UPDATE_BYTES = 256;

    /// Bytes that may wait for the socket before a client that does not read is cut off (CVE-2019-9512).
    static final int UNSENT_BYTES = 512 * 1024;

    /// Bytes of the heap that a connection may hold of content and frames together, and of heads if the heap is large.
    static final int CONNECTION_BYTES = 4 * 1024 * 1024;

    /// The part of the memory for heads that a connection may hold: one of so many. With 256 MiB of heap that is 1 MiB,
    /// which is room for as many streams as there may be with heads of an ordinary size.
    private static final int CONNECTION_PARTS = 32;

    /// And of what is left of it until it is crowded: one of so many (Choudhury and Hahne, Dynamic Queue Length
    /// Thresholds, 1998). Forty that ask for all they can get leave a thirteenth of it.
    private static final int PARTS_LEFT = 16;

    /// What it may hold of it at any time: itself and two streams with ordinary heads. And likewise a full table of its
    /// decoder and some of a head that has not come whole.
    static final int LEAST_HEADS = 32 * 1024;

    /// Bytes of heads that a connection may hold: its part of all and of what is left until they are crowded, but until
    /// then room for one of the largest.
    ///
    /// @param heads bytes of all heads
    /// @param left bytes of them until they are crowded
    static long shareOfHeads(long heads, long left, WireLimits largest) {
        if (left <= 0) return LEAST_HEADS;
        long one = IDLE_BYTES
                + HeadCollector.MOST_TABLE
                + STREAM_BYTES
                + HeadCost.of(largest.headBytes(), largest.headers())
                + largest.headBytes(); // while it comes
        return Math.max(one, Math.min(Math.min(CONNECTION_BYTES, heads / CONNECTION_PARTS), left / PARTS_LEFT));
    }

    /// What a connection takes of it when nothing happens on it, but for the table of its decoder.
    static final int IDLE_BYTES = 6 * 1024;

    /// What an open stream takes of it, but for the fields of its head and what has come of its content.
    static final int STREAM_BYTES = 5 * 1024;
}
