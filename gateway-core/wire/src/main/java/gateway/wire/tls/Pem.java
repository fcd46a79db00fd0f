package gateway.wire.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One block of a PEM file (RFC 7468). Text outside of blocks is passed over.
final class Pem {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final long MOST_BYTES = 4L * 1024 * 1024;

    private final Path file;
    private final String label;
    private final int line; // where it begins, from 1
    private final byte[] content;

    private Pem(Path file, String label, int line, byte[] content) {
        this.file = file;
        this.label = label;
        this.line = line;
        this.content = content;
    }

    String label() {
        return label;
    }

    /// The DER inside; not to be changed.
    byte[] content() {
        return content;
    }

    /// The blocks of a file, in order.
    ///
    /// @throws TlsFileException when the file cannot be read or a block is broken
    static List<Pem> read(Path file) {
        var found = new ArrayList<Pem>();
        @Nullable String label = null;
        int begin = 0;
        int at = 0;
        var text = new StringBuilder();
        for (String line : new String(bytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .map(String::strip)
                .toList()) {
            at++;
            if (line.startsWith(BEGIN) && line.endsWith(DASHES)) {
                if (label != null) throw wrong(file, begin, "the block has no end");
                label = line.substring(BEGIN.length(), line.length() - DASHES.length());
                begin = at;
                text.setLength(0);
            } else if (label != null && line.startsWith(END)) {
                if (!line.equals(END + label + DASHES)) throw wrong(file, at, "the block begins as " + label);
                found.add(new Pem(file, label, begin, decoded(file, begin, text.toString())));
                label = null;
            } else if (label != null) {
                text.append(line);
            }
        }
        if (label != null) throw wrong(file, begin, "the block has no end");
        return found;
    }

    /// All bytes of `file`.
    ///
    /// @throws TlsFileException when it cannot be read or is larger than any file of this kind
    static byte[] bytes(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES)
                throw new TlsFileException(file + ": larger than " + MOST_BYTES + " bytes");
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new TlsFileException(file + ": there is no such file");
        } catch (IOException e) {
            throw new TlsFileException(
                    file + ": cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    TlsFileException wrong(String what) {
        return wrong(file, line, what);
    }

    private static TlsFileException wrong(Path file, int line, String what) {
        return new TlsFileException(file + " line " + line + ": " + what);
    }

    private static byte[] decoded(Path file, int line, String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw wrong(file, line, "the block is not base64");
        }
    }
}
