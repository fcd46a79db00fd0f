package gateway.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/// What clients and upstreams of tests send packed.
public final class Gzip {
    private Gzip() {}

    public static byte[] gzip(String plain) {
        return gzip(plain.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] gzip(byte[] plain) {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
