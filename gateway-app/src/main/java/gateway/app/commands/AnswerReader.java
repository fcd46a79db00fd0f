package gateway.app.commands;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;

/// Finds the end of answers on one connection, by `Content-Length` or by chunks (RFC 9112, section 6). The content and
/// interim answers are thrown away. Nothing is allocated for an answer.
final class AnswerReader {
    private static final int MOST_HEAD_BYTES = 32 * 1024;
    private static final int STATUS_AT = 9; // behind "HTTP/1.1 "
    private static final long NONE = -1;

    private static final byte[] END_OF_LINE = bytes("\r\n");
    private static final byte[] END_OF_HEAD = bytes("\r\n\r\n");
    private static final byte[] CONTENT_LENGTH = bytes("content-length:");
    private static final byte[] TRANSFER_ENCODING = bytes("transfer-encoding:");
    private static final byte[] CONNECTION = bytes("connection:");
    private static final byte[] CHUNKED = bytes("chunked");
    private static final byte[] CLOSE = bytes("close");

    private final boolean bodiless;
    private final ByteBuffer input = ByteBuffer.allocate(MOST_HEAD_BYTES);
    private long left = NONE; // bytes of the body; none in the head
    private boolean chunked;
    private boolean kept;
    private int status;

    AnswerReader() {
        this(false);
    }

    /// @param bodiless whether no answer has content, whatever its head says: those to HEAD
    AnswerReader(boolean bodiless) {
        this.bodiless = bodiless;
    }

    int readFrom(ReadableByteChannel channel) throws IOException {
        return channel.read(input);
    }

    /// @return whether an answer has just ended; what follows it would be a fault of the server
    boolean proceed() throws IOException {
        input.flip();
        boolean ended = (left >= 0 || readHead()) && readBody();
        input.compact();
        if (!ended && !input.hasRemaining()) throw new IOException("a line of the answer is too long");
        if (ended) left = NONE;
        return ended;
    }

    int status() {
        return status;
    }

    boolean isKept() {
        return kept;
    }

    private boolean readHead() throws IOException {
        do {
            int length = indexOf(END_OF_HEAD);
            if (length < 0) return false;
            readFields(input.position(), input.position() + length + END_OF_LINE.length);
            input.position(input.position() + length + END_OF_HEAD.length);
        } while (status < 200);
        boolean empty = bodiless || status == 204 || status == 304;
        if (!empty && !chunked && left == NONE) throw new IOException("an answer without Content-Length: " + status);
        if (empty) chunked = false;
        if (empty || chunked) left = 0;
        return true;
    }

    /// @param end behind the end of the last line
    private void readFields(int begin, int end) throws IOException {
        status = (int) number(begin + STATUS_AT, 10);
        if (status < 100 || status > 999) throw new IOException("expected the head of an HTTP answer");
        kept = true;
        chunked = false;
        left = NONE;
        for (int at = begin; at < end; at = nextLine(at)) {
            if (isAt(at, CONTENT_LENGTH)) left = number(at + CONTENT_LENGTH.length, 10);
            else if (isAt(at, TRANSFER_ENCODING)) chunked = isAt(text(at + TRANSFER_ENCODING.length), CHUNKED);
            else if (isAt(at, CONNECTION)) kept = !isAt(text(at + CONNECTION.length), CLOSE);
        }
    }

    private int nextLine(int from) {
        int at = from;
        while (input.get(at) != '\n') at++;
        return at + 1;
    }

    private boolean readBody() throws IOException {
        while (true) {
            int skipped = (int) Math.min(left, input.remaining());
            input.position(input.position() + skipped);
            left -= skipped;
            if (left > 0) return false;
            if (!chunked) return true;
            int line = indexOf(END_OF_LINE);
            if (line < 0) return false;
            if (line == 0) { // the end of a chunk's content
                skip(END_OF_LINE.length);
                continue;
            }
            long size = number(input.position(), 16);
            if (size > 0) {
                left = size;
                skip(line + END_OF_LINE.length);
                continue;
            }
            int end = indexOf(END_OF_HEAD); // of the trailers
            if (end < 0) return false;
            skip(end + END_OF_HEAD.length);
            return true;
        }
    }

    private void skip(int bytes) {
        input.position(input.position() + bytes);
    }

    /// Where text begins behind spaces.
    private int text(int at) {
        int begin = at;
        while (input.get(begin) == ' ') begin++;
        return begin;
    }

    /// The digits that begin there, behind spaces; what follows them is left alone.
    private long number(int at, int radix) throws IOException {
        int begin = text(at);
        long number = 0;
        int end = begin;
        for (int digit = digit(end, radix); digit >= 0; digit = digit(++end, radix)) number = number * radix + digit;
        if (end == begin || end - begin > 15) throw new IOException("expected a number in the head of an answer");
        return number;
    }

    private int digit(int at, int radix) {
        return at < input.limit() ? Character.digit(input.get(at), radix) : -1;
    }

    /// Whether the word, in small letters, stands there in any.
    private boolean isAt(int at, byte[] word) {
        if (at + word.length > input.limit()) return false;
        for (int i = 0; i < word.length; i++) {
            byte found = input.get(at + i);
            if ((found >= 'A' && found <= 'Z' ? found | 0x20 : found) != word[i]) return false;
        }
        return true;
    }

    /// From the buffer's position; -1 when it has not come yet.
    private int indexOf(byte[] text) {
        for (int at = input.position(); at <= input.limit() - text.length; at++) {
            int same = 0;
            while (same < text.length && input.get(at + same) == text[same]) same++;
            if (same == text.length) return at - input.position();
        }
        return -1;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
