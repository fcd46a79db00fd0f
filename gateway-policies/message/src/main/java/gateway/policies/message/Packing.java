package gateway.policies.message;

import java.util.Locale;
import java.util.OptionalLong;

/// A content coding that answers are packed by.
enum Packing {
    /// RFC 8878.
    ZSTD(ZstdPacker.MEMORY, 136 * 1024),
    /// RFC 7932.
    BR(BrotliPacker.MEMORY, 72 * 1024),
    /// RFC 1952.
    GZIP(GzipPacker.MEMORY, 40 * 1024);

    private final String coding = name().toLowerCase(Locale.ROOT);
    private final int memory;
    private final int mostOfPiece;

    Packing(int memory, int mostOfPiece) {
        this.memory = memory;
        this.mostOfPiece = mostOfPiece;
    }

    /// As it stands in `Content-Encoding`.
    String coding() {
        return coding;
    }

    /// Bytes that one answer takes while it is packed.
    int memory() {
        return memory;
    }

    /// Bytes that are handed on at once at most, as a rule: two blocks that do not pack, or one of br and zstd.
    int mostOfPiece() {
        return mostOfPiece;
    }

    /// Whether it can be made here. Loads its library.
    boolean isAvailable() {
        return switch (this) {
            case ZSTD -> NativeCodings.hasZstd();
            case BR -> NativeCodings.hasBrotli();
            case GZIP -> true;
        };
    }

    Packer packer(int level, OptionalLong length, ZstdBuffers buffers) {
        return switch (this) {
            case ZSTD -> new ZstdPacker(level, length, buffers);
            case BR -> new BrotliPacker(level);
            case GZIP -> new GzipPacker(level);
        };
    }
}
