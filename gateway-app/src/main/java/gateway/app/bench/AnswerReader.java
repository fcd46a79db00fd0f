package gateway.app.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Finds the end of answers on one connection, by `Content-Length` or by chunks (RFC 9112, section 6). The content is
/// thrown away.
final class AnswerReader {
    private static final int MOST_HEAD_BYTES = 32 * 1024;

    private final ByteBuffer input = ByteBuffer.allocate(MOST_HEAD_BYTES);
    private long left = -1; // bytes of the body; -1 in the head
    private boolean chunked;
    private boolean kept;
    private int status;

    int readFrom(ReadableByteChannel channel) throws IOException {
        return channel.read(input);
    }

    /// @return whether an answer has just ended; what follows it would be a fault of the server
    boolean proceed() throws IOException {
        input.flip();
        boolean ended = (left >= 0 || readHead()) && readBody();
        input.compact();
        if (!ended && !input.hasRemaining()) throw new IOException("a line of the answer is too long");
        if (ended) left = -1;
        return ended;
    }

    int status() {
        return status;
    }

    boolean isKept() {
        return kept;
    }

    private boolean readHead() throws IOException {
        int end = indexOf("\r\n\r\n");
        if (end < 0) return false;
        String head = take(end + 4).toLowerCase(Locale.ROOT);
        status = Integer.parseInt(head, 9, 12, 10);
        kept = !field(head, "connection").equals("close");
        chunked = field(head, "transfer-encoding").equals("chunked");
        String length = field(head, "content-length");
        if (!chunked && length.isEmpty() && status != 204 && status != 304) {
            throw new IOException("an answer without Content-Length: "
                    + head.lines().findFirst().orElse(""));
        }
        left = chunked || length.isEmpty() ? 0 : Long.parseLong(length);
        return true;
    }

    private boolean readBody() throws IOException {
        while (true) {
            int skipped = (int) Math.min(left, input.remaining());
            input.position(input.position() + skipped);
            left -= skipped;
            if (left > 0) return false;
            if (!chunked) return true;
            int line = indexOf("\r\n");
            if (line < 0) return false;
            if (line == 0) { // the end of a chunk's content
                take(2);
                continue;
            }
            if (input.get(input.position()) == '0') {
                int end = indexOf("\r\n\r\n");
                if (end < 0) return false;
                take(end + 4);
                return true;
            }
            left = Long.parseLong(take(line + 2).strip().split(";", 2)[0], 16);
        }
    }

    private static String field(String head, String name) {
        int at = head.indexOf("\r\n" + name + ":");
        if (at < 0) return "";
        int from = at + name.length() + 3;
        return head.substring(from, head.indexOf("\r\n", from)).strip();
    }

    /// From the buffer's position; -1 when it has not come yet.
    private int indexOf(String text) {
        for (int at = input.position(); at <= input.limit() - text.length(); at++) {
            int same = 0;
            while (same < text.length() && input.get(at + same) == text.charAt(same)) same++;
            if (same == text.length()) return at - input.position();
        }
        return -1;
    }

    private String take(int bytes) {
        byte[] taken = new byte[bytes];
        input.get(taken);
        return new String(taken, StandardCharsets.ISO_8859_1);
    }
}
