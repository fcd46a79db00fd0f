package gateway.wire.http1;

/// How large the head of a request may be.
///
/// @param headBytes most bytes of request line and header lines together, line ends included
/// @param requestLineBytes most bytes of the request line
/// @param headers most header lines
public record WireLimits(int headBytes, int requestLineBytes, int headers) {
    /// 32 KiB, 16 KiB and 100.
    public static final WireLimits DEFAULT = new WireLimits(32 * 1024, 16 * 1024, 100);

    /// Most bytes of a line that tells a chunk's size: a few extensions, never a stream of them.
    static final int CHUNK_LINE_BYTES = 1024;

    public WireLimits {
        if (headBytes < 256 || requestLineBytes < 64 || headers < 1) throw new IllegalArgumentException();
    }
}
