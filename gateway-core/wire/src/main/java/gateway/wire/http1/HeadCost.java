package gateway.wire.http1;

/// What a request takes of the heap from its head on, as a rule that tests hold to the measured heap: the head as
/// objects, a name and a value with an array each for every line, and what serves the request.
public final class HeadCost {
    private static final long REQUEST = 7 * 1024; // the exchange, its run and its thread, the call to the upstream
    private static final long LINE = 224;
    private static final long TARGET = 2; // each of its octets once more as the canonical path and the forwarded one
    private static final long BYTE = 3; // of HTTP/2, whose bytes are counted with the target among them

    private HeadCost() {}

    /// A head of HTTP/2 alone.
    ///
    /// @param bytes of names and values
    /// @param lines fields
    public static long of(long bytes, int lines) {
        return lines * LINE + bytes * BYTE;
    }

    /// A head of HTTP/1, and what serves its request.
    ///
    /// @param bytes of its lines
    /// @param lines without the first
    /// @param target bytes of the request target
    static long ofRequest(int bytes, int lines, int target) {
        return REQUEST + lines * LINE + bytes + bytes / 4 + target * TARGET;
    }
}
