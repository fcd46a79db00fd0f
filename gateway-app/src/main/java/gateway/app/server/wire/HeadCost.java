package gateway.app.server.wire;

/// What a request takes of the heap from its head on, as a rule made from the measured heap (decision 130): the head as
/// the HTTP parser makes objects of it, and what serves the request.
final class HeadCost {
    private static final long REQUEST = 7 * 1024; // the exchange, its run and its thread, the call to the upstream
    private static final long LINE = 200; // a name and a value, each an object with an array
    private static final long TARGET = 2; // each of its octets once more as the canonical path and the forwarded one

    private HeadCost() {}

    /// @param bytes of its lines
    /// @param lines without the first
    /// @param target bytes of the request target
    static long of(int bytes, int lines, int target) {
        return REQUEST + lines * LINE + bytes + bytes / 4 + target * TARGET;
    }
}
