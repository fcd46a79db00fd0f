package gateway.wire.http2;

/// How the latest streams of one client ended, so that its frames behind that end can be told from those that are still
/// under way (RFC 9113 §5.1). Two bits a stream, and no more streams than a client can open before it hears of an end.
final class RecentStreams {
    private static final int STREAMS = 256; // twice those open at once: the answers of as many may be under way
    private static final int PER_WORD = Long.SIZE;

    private final long[] opened = new long[STREAMS / PER_WORD];
    private final long[] left = new long[STREAMS / PER_WORD];
    private int latest = -1;

    /// How a stream came to its end, as far as its client is concerned.
    enum End {
        /// Passed over by a higher number.
        NEVER_OPENED,
        /// The client has ended or reset its side, and knows that nothing may follow.
        BY_CLIENT,
        /// The gateway has left it in the middle of its request, or it is not known: something may be under way.
        BY_GATEWAY,
        /// It is yet to be opened.
        NOT_YET
    }

    /// The highest stream so far; those that it passes over are never opened.
    void opened(int id) {
        int number = number(id);
        for (int each = Math.max(latest + 1, number - STREAMS + 1); each <= number; each++) {
            set(opened, each, false);
            set(left, each, false);
        }
        set(opened, number, true);
        latest = number;
    }

    /// The gateway is not going to read the rest of its request.
    void left(int id) {
        if (isRecent(number(id))) set(left, number(id), true);
    }

    /// The client has reset it, and sends nothing behind.
    void endedByClient(int id) {
        if (isRecent(number(id))) set(left, number(id), false);
    }

    /// How a stream ended that is over; of one that is open it says what would be if it were.
    End end(int id) {
        int number = number(id);
        if (number > latest) return End.NOT_YET;
        if (!isRecent(number)) return End.BY_GATEWAY;
        if (!has(opened, number)) return End.NEVER_OPENED;
        return has(left, number) ? End.BY_GATEWAY : End.BY_CLIENT;
    }

    private boolean isRecent(int number) {
        return number > latest - STREAMS && number <= latest;
    }

    /// Clients have the odd numbers.
    private static int number(int id) {
        return id >>> 1;
    }

    private static boolean has(long[] bits, int number) {
        return (bits[number % STREAMS / PER_WORD] >>> number & 1) != 0;
    }

    private static void set(long[] bits, int number, boolean to) {
        long bit = 1L << number;
        int word = number % STREAMS / PER_WORD;
        if (to) bits[word] |= bit;
        else bits[word] &= ~bit;
    }
}
