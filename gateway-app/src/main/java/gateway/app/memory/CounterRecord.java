package gateway.app.memory;

/// A durable counter as the journal keeps it: absolute numbers, so that the last line of a counter tells everything.
record CounterRecord(
        String counter, CounterValue.Kind kind, long start, long end, long count, long previous, long limit) {
    /// Of no counter, and over since ever: the first line of a new or rewritten journal.
    static final CounterRecord NONE = new CounterRecord("begin", CounterValue.Kind.FIXED, 0, 0, 0, 0, 0);

    private static final String SEPARATOR = " ";

    /// `ROLLING 1767225600000000000 1769817600000000000 17 0 100 quota:orders/…`: kind, start, end, count, count of the
    /// earlier window, limit, name.
    String line() {
        return kind
                + SEPARATOR
                + start
                + SEPARATOR
                + end
                + SEPARATOR
                + count
                + SEPARATOR
                + previous
                + SEPARATOR
                + limit
                + SEPARATOR
                + counter.replace("\\", "\\\\").replace("\n", "\\n");
    }

    /// @throws IllegalArgumentException when [#line] did not write `line`
    static CounterRecord parse(String line) {
        String[] parts = line.split(SEPARATOR, 7);
        if (parts.length != 7) throw new IllegalArgumentException("expected 7 parts, got " + parts.length);
        return new CounterRecord(
                unescaped(parts[6]),
                CounterValue.Kind.valueOf(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                Long.parseLong(parts[5]));
    }

    private static String unescaped(String name) {
        if (name.indexOf('\\') < 0) return name;
        var plain = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char next = name.charAt(i);
            if (next == '\\' && ++i < name.length()) next = name.charAt(i) == 'n' ? '\n' : name.charAt(i);
            plain.append(next);
        }
        return plain.toString();
    }
}
