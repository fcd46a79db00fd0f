package gateway.wire.http2;

/// How much content may still come on streams of one connection that the gateway has left.
///
/// A server sends on until it learns of the reset, so content for a stream that is over is no fault (RFC 9113
/// §5.1, "closed"), were it in thousands of frames of a few bytes. But what is sent before the server knows is sent
/// within the windows of then: on one stream, what its window had left when it was left; on all streams together,
/// one window of the connection. What comes past that is from a server that does not heed resets. It is credited to
/// the connection as it comes, so it could go on for ever, at the cost of whatever else the IO thread serves.
///
/// Frames without content count apart, by [gateway.wire.http2.PeerFrames].
final class UnderWay {
    private final int most;
    private int bytes;

    /// @param most bytes that the connection's window ever allows
    UnderWay(int most) {
        this.most = most;
    }

    /// A stream is over whose window had `window` bytes left.
    void add(int window) {
        bytes = Math.min(most, bytes + window);
    }

    /// Content of `flow` bytes has come on such a stream; answers whether it may have been under way.
    boolean take(int flow) {
        bytes -= flow;
        return bytes >= 0;
    }
}
