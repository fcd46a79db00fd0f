package gateway.app.memory;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/// The form of a journal's lines: CRC-32C of the text in 8 hexadecimal digits, a space, the text in UTF-8, a line feed.
final class JournalLine {
    static final int HEAD = 9; // bytes before the text

    private JournalLine() {}

    static byte[] encode(String text) {
        if (text.indexOf('\n') >= 0) throw new IllegalArgumentException("more than one line");
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[HEAD + body.length + 1];
        System.arraycopy(head(body, 0, body.length), 0, line, 0, HEAD);
        System.arraycopy(body, 0, line, HEAD, body.length);
        line[line.length - 1] = '\n';
        return line;
    }

    /// The text of a line without its line feed; empty when the checksum says it is not whole.
    static Optional<String> decode(byte[] line, int length) {
        if (length < HEAD) return Optional.empty();
        byte[] head = head(line, HEAD, length - HEAD);
        if (!Arrays.equals(line, 0, HEAD, head, 0, HEAD)) return Optional.empty();
        return Optional.of(new String(line, HEAD, length - HEAD, StandardCharsets.UTF_8));
    }

    /// The checksum as a line's head says it.
    static String checksum(byte[] bytes, int from, int length) {
        var checksum = new CRC32C();
        checksum.update(bytes, from, length);
        return HexFormat.of().toHexDigits((int) checksum.getValue());
    }

    private static byte[] head(byte[] bytes, int from, int length) {
        return (checksum(bytes, from, length) + " ").getBytes(StandardCharsets.US_ASCII);
    }
}
