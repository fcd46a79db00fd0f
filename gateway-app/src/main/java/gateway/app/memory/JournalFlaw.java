package gateway.app.memory;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/// Where bytes of a journal are not as [JournalLine] writes them.
///
/// @param at how far behind the line's begin
/// @param message what was expected there, and what came
record JournalFlaw(int at, String message) {
    /// What keeps the bytes before a line feed from being a line; [JournalLine#decode] refused them.
    static JournalFlaw ofLine(byte[] line, int length) {
        Optional<JournalFlaw> head = ofHead(line, length);
        if (head.isPresent()) return head.get();
        if (length < JournalLine.HEAD) return expected(length, "8 hexadecimal digits and a space", "a line feed");
        if (line[length - 1] == '\r' && JournalLine.decode(line, length - 1).isPresent()) {
            return expected(length - 1, "a line feed", "a carriage return before it");
        }
        String given = new String(line, 0, JournalLine.HEAD - 1, StandardCharsets.US_ASCII);
        String checksum = JournalLine.checksum(line, JournalLine.HEAD, length - JournalLine.HEAD);
        return expected(0, "a text of the checksum " + given, "one of the checksum " + checksum);
    }

    /// What keeps a journal's end without a line feed from being an append that was under way: the begin of a line, and
    /// zeros where the file had grown before its bytes were on disk. Empty when it is one.
    static Optional<JournalFlaw> ofEnd(byte[] end, int length) {
        int written = length;
        while (written > 0 && end[written - 1] == 0) written--;
        Optional<JournalFlaw> head = ofHead(end, written);
        if (head.isPresent()) return head;
        int line = wholeLine(end, written);
        if (line == written) return Optional.empty();
        return Optional.of(expected(line, "a line feed", byteText(end[line])));
    }

    private static Optional<JournalFlaw> ofHead(byte[] line, int length) {
        for (int i = 0; i < Math.min(length, JournalLine.HEAD); i++) {
            boolean isSpace = i == JournalLine.HEAD - 1;
            if (isSpace ? line[i] == ' ' : isDigit(line[i])) continue;
            return Optional.of(expected(i, isSpace ? "a space" : "a hexadecimal digit", byteText(line[i])));
        }
        return Optional.empty();
    }

    /// Where the first whole line ends, `length` when there is none before. A line whose append was under way has only
    /// a begin of its text; one that is whole and goes on has lost its line feed.
    private static int wholeLine(byte[] bytes, int length) {
        if (length <= JournalLine.HEAD) return length;
        int wanted = HexFormat.fromHexDigits(new String(bytes, 0, JournalLine.HEAD - 1, StandardCharsets.US_ASCII));
        var checksum = new CRC32C();
        for (int i = JournalLine.HEAD; i < length; i++) {
            checksum.update(bytes[i]);
            if ((int) checksum.getValue() == wanted) return i + 1;
        }
        return length;
    }

    private static boolean isDigit(byte character) {
        return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
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

    private static JournalFlaw expected(int at, String expected, String got) {
        return new JournalFlaw(at, "expected " + expected + ", got " + got);
    }
}
