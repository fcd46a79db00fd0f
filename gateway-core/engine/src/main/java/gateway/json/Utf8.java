package gateway.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/// Whether bytes are UTF-8 as the standard has it. Parsers of JSON take longer forms of characters and halves of
/// surrogates for characters, which somebody behind them may read otherwise.
public final class Utf8 {
    private static final int AT_ONCE = 2_048; // characters

    private Utf8() {}

    public static boolean holds(byte[] bytes) {
        int ascii = 0;
        while (ascii < bytes.length && bytes[ascii] >= 0) ascii++;
        return ascii == bytes.length || decodes(ByteBuffer.wrap(bytes, ascii, bytes.length - ascii));
    }

    private static boolean decodes(ByteBuffer bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // which reports whatever is wrong
        var characters = CharBuffer.allocate(AT_ONCE);
        while (true) {
            var result = decoder.decode(bytes, characters.clear(), true);
            if (result.isError()) return false;
            if (result.isUnderflow()) return true;
        }
    }

    /// How many bytes at the begin are a byte order mark.
    public static int mark(byte[] bytes) {
        boolean marked =
                bytes.length > 2 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf;
        return marked ? 3 : 0;
    }
}
