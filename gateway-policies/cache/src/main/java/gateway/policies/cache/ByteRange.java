package gateway.policies.cache;

import java.util.Optional;

/// One range of the bytes of a whole (RFC 9110 §14.1.2).
///
/// @param from the first; as large as the whole when no byte of it is asked for
/// @param to the one behind the last
/// @param whole bytes there are
record ByteRange(int from, int to, int whole) {
    private static final String UNIT = "bytes=";
    private static final int MOST_DIGITS = 18;

    /// Empty for what is no single range of bytes: then all of it is given, as that is always right.
    static Optional<ByteRange> read(String field, int whole) {
        if (!field.regionMatches(true, 0, UNIT, 0, UNIT.length())) return Optional.empty();
        String range = field.substring(UNIT.length()).strip();
        int dash = range.indexOf('-');
        if (dash < 0) return Optional.empty();
        String first = range.substring(0, dash);
        String last = range.substring(dash + 1);
        if (!isNumber(first) || !isNumber(last) || range.length() == 1) return Optional.empty();
        if (first.isEmpty()) {
            int count = (int) Math.min(whole, Long.parseLong(last));
            return Optional.of(new ByteRange(whole - count, whole, whole));
        }
        long from = Long.parseLong(first);
        long to = last.isEmpty() ? Long.MAX_VALUE : Long.parseLong(last) + 1;
        if (to <= from) return Optional.empty();
        return Optional.of(new ByteRange((int) Math.min(whole, from), (int) Math.min(whole, to), whole));
    }

    /// Or nothing.
    private static boolean isNumber(String text) {
        if (text.length() > MOST_DIGITS) return false;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') return false;
        }
        return true;
    }

    boolean isEmpty() {
        return from >= to;
    }

    /// As `Content-Range` says it.
    @Override
    public String toString() {
        return isEmpty() ? "bytes */" + whole : "bytes " + from + '-' + (to - 1) + '/' + whole;
    }
}
