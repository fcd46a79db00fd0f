package gateway.app.server.wire;

/// What a request takes of the heap from its head on: the head as objects, a name and a value with an array each for
/// every line, and what serves it. A rule, measured (decisions 130 and 132).
public final class HeadCost {
    private static final long REQUEST = 6 * 1024;
    private static final long LINE = 224;
    private static final long BYTE = 3; // copies of an octet at most: of the target as a whole, of its path, canonical

    private HeadCost() {}

    /// The head alone.
    ///
    /// @param bytes of names and values
    /// @param lines without the first
    public static long of(long bytes, int lines) {
        return lines * LINE + bytes * BYTE;
    }

    /// The head and what serves a request of HTTP/1.
    static long ofRequest(long bytes, int lines) {
        return REQUEST + of(bytes, lines);
    }
}
