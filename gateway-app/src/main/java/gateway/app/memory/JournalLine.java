package gateway.app.memory;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/// The form of a journal's lines: CRC-32C of the text in 8 hexadecimal digits, a space, the text in UTF-8, a line feed.
final class JournalLine {
    static final int HEAD = 9; // bytes before the text

    private JournalLine() {}

    static byte[] encode(String text) {
        if (text.indexOf('\n') >= 0) throw new IllegalArgumentException("more than one line");
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[HEAD + body.length + 1];
        System.arraycopy(head(body), 0, line, 0, HEAD);
        System.arraycopy(body, 0, line, HEAD, body.length);
        line[line.length - 1] = '\n';
        return line;
    }

    /// The checksum as a line's head says it.
    static String hex(CRC32C checksum) {
        return HexFormat.of().toHexDigits((int) checksum.getValue());
    }

    private static byte[] head(byte[] body) {
        var checksum = new CRC32C();
        checksum.update(body);
        return (hex(checksum) + " ").getBytes(StandardCharsets.US_ASCII);
    }
}
