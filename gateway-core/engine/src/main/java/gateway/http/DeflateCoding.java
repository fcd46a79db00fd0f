package gateway.http;

import java.io.IOException;
import java.util.List;

/// What HTTP calls deflate is zlib (RFC 1950); some senders leave zlib's frame out, which is understood too
/// (RFC 9110 §8.4.1.2).
final class DeflateCoding implements ContentCoding {
    @Override
    public List<String> names() {
        return List.of("deflate");
    }

    @Override
    public void undo(byte[] coded, PlainBytes plain) throws IOException {
        try (var inflation = new Inflation(coded, plain, !isFramed(coded))) {
            if (inflation.undo(0) < coded.length) throw new IOException("something stands behind its end");
        }
    }

    private static boolean isFramed(byte[] coded) {
        if (coded.length < 2 || (coded[0] & 0x0f) != 8) return false;
        return ((coded[0] & 0xff) * 256 + (coded[1] & 0xff)) % 31 == 0;
    }
}
