package gateway.app.server.wire;

/// What a request takes of the heap from its head on: the head as the HTTP parser makes objects of it, and what serves
/// it. A rule, measured (see decision 130): a line becomes a name and a value, each an object with an array.
final class HeadCost {
    private static final long REQUEST = 6 * 1024;
    private static final long LINE = 176;
    private static final long BYTE = 2;

    private HeadCost() {}

    /// @param bytes of its lines
    /// @param lines without the first
    static long of(int bytes, int lines) {
        return REQUEST + lines * LINE + bytes * BYTE;
    }
}
