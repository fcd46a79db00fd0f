package gateway.app.memory;

import gateway.key.Pepper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/// The file `pepper`: 32 random bytes, made at the first start.
final class PepperFile {
    private PepperFile() {}

    /// @param needed whether keys are stored already, so that a new pepper would lock all of them out
    /// @throws DataFolderException when the file is missing though `needed`, or is not 32 bytes long
    static Pepper open(Path file, boolean needed, SecureRandom random) {
        try {
            if (Files.exists(file)) return read(file);
            if (needed) {
                throw new DataFolderException(file + " is missing, and without it the stored keys open nothing; "
                        + "restore it from a backup, or remove keys.journal to start without keys");
            }
            var made = Pepper.random(random);
            if (Files.isWritable(DurableFiles.parent(file))) DurableFiles.write(file, made.reveal());
            return made;
        } catch (IOException e) {
            throw new DataFolderException("cannot open " + file, e);
        }
    }

    private static Pepper read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length == Pepper.BYTES) return Pepper.of(bytes);
        throw new DataFolderException(file + " is damaged: expected " + Pepper.BYTES + " bytes, got " + bytes.length
                + "; restore it from a backup");
    }
}
