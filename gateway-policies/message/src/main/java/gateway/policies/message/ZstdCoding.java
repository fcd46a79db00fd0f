package gateway.policies.message;

import com.github.luben.zstd.NoPool;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.google.auto.service.AutoService;
import gateway.http.ContentCoding;
import gateway.http.PlainBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;

/// `zstd` (RFC 8878), with windows as far as the 8 MiB of RFC 9659. The library makes a window outside of the
/// memory for bodies; it works without a pause, so that no more of them are held at once than there are threads
/// that run policies.
@AutoService(ContentCoding.class)
public final class ZstdCoding implements ContentCoding {
    private static final int LARGEST_WINDOW = 23; // its logarithm
    private static final int PIECE = 8 * 1024;

    @Override
    public List<String> names() {
        return List.of("zstd");
    }

    @Override
    public boolean isAvailable() {
        return NativeCodings.hasZstd();
    }

    @Override
    public void undo(byte[] coded, PlainBytes plain) throws IOException {
        byte[] piece = new byte[PIECE];
        try (var decoded = new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(coded), NoPool.INSTANCE)) {
            decoded.setLongMax(LARGEST_WINDOW);
            for (int count = decoded.read(piece, 0, PIECE); count > 0; count = decoded.read(piece, 0, PIECE)) {
                plain.add(piece, 0, count);
            }
        } catch (IOException e) {
            throw new IOException(
                    "it is broken or cut off, its window is larger than 8 MiB, or something stands behind its end", e);
        }
    }
}
