package gateway.app.memory;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/// Where bytes of a journal are not as [JournalLine] writes them.
///
/// @param at how far behind the line's begin
/// @param message what was expected there, and what came
record JournalFlaw(long at, String message) {
    /// More than an append of changes can be: 16 MiB of text before and after them, each byte escaped.
    static final long MOST_ZEROS = 65L << 20;

    /// What keeps the bytes before a line feed from being a line, which they are not.
    static JournalFlaw ofLine(JournalBytes bytes, long begin, long end) throws IOException {
        Optional<JournalFlaw> head = ofHead(bytes, begin, end);
        if (head.isPresent()) return head.get();
        long text = begin + JournalLine.HEAD;
        if (end < text) return expected(end - begin, "8 hexadecimal digits and a space", "a line feed");
        if (bytes.at(end - 1) == '\r' && bytes.isLine(begin, end - 1)) {
            return expected(end - 1 - begin, "a line feed", "a carriage return before it");
        }
        return expected(
                0,
                "a text of the checksum " + HexFormat.of().toHexDigits(given(bytes, begin)),
                "one of the checksum " + bytes.checksum(text, end));
    }

    /// What keeps a journal's end without a line feed, which is no line, from being an append that was under way: the
    /// begin of a line, or zeros in its place where the file had grown before its bytes were on disk. Empty when it
    /// is one.
    static Optional<JournalFlaw> ofEnd(JournalBytes bytes, long begin) throws IOException {
        long zeros = bytes.zeros(begin);
        if (zeros == begin) return ofZeros(begin, bytes.size() - begin);
        Optional<JournalFlaw> head = ofHead(bytes, begin, zeros);
        if (head.isPresent()) return head;
        long line = wholeLine(bytes, begin, zeros);
        if (line < bytes.size()) return Optional.of(expected(line - begin, "a line feed", byteText(bytes.at(line))));
        if (zeros == bytes.size()) return Optional.empty();
        return Optional.of(expected(zeros - begin, "the rest of the line", zeros(bytes.size() - zeros)));
    }

    /// Zeros where a line would begin.
    private static Optional<JournalFlaw> ofZeros(long begin, long count) {
        if (count == 0) return Optional.empty();
        if (begin == 0) return Optional.of(expected(0, "a line", zeros(count)));
        if (count <= MOST_ZEROS) return Optional.empty();
        return Optional.of(expected(0, "a line, or at most " + zeros(MOST_ZEROS), zeros(count)));
    }

    private static Optional<JournalFlaw> ofHead(JournalBytes bytes, long begin, long end) throws IOException {
        for (int i = 0; i < Math.min(end - begin, JournalLine.HEAD); i++) {
            boolean isSpace = i == JournalLine.HEAD - 1;
            byte found = bytes.at(begin + i);
            if (isSpace ? found == ' ' : isDigit(found)) continue;
            return Optional.of(expected(i, isSpace ? "a space" : "a hexadecimal digit", byteText(found)));
        }
        return Optional.empty();
    }

    /// Where the first whole line ends, the file's size when there is none before `end`. A line whose append was under
    /// way has only a begin of its text; one that is whole and goes on has lost its line feed.
    private static long wholeLine(JournalBytes bytes, long begin, long end) throws IOException {
        if (end - begin <= JournalLine.HEAD) return bytes.size();
        int wanted = given(bytes, begin);
        var checksum = new CRC32C();
        for (long i = begin + JournalLine.HEAD; i < end; i++) {
            checksum.update(bytes.at(i));
            if ((int) checksum.getValue() == wanted) return i + 1;
        }
        return bytes.size();
    }

    /// The checksum that a line's head says.
    private static int given(JournalBytes bytes, long begin) throws IOException {
        int given = 0;
        for (int i = 0; i < JournalLine.HEAD - 1; i++) given = given << 4 | HexFormat.fromHexDigit(bytes.at(begin + i));
        return given;
    }

    private static boolean isDigit(byte character) {
        return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
    }

    private static String zeros(long count) {
        return count + " bytes of zeros";
    }

    private static String byteText(byte found) {
        return switch (found) {
            case '\r' -> "a carriage return";
            case '\n' -> "a line feed";
            default ->
                found > ' ' && found < 0x7f
                        ? "'" + (char) found + "'"
                        : "the byte 0x" + HexFormat.of().toHexDigits(found);
        };
    }

    private static JournalFlaw expected(long at, String expected, String got) {
        return new JournalFlaw(at, "expected " + expected + ", got " + got);
    }
}
