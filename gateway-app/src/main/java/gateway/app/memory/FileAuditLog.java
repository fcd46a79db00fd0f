package gateway.app.memory;

import gateway.service.AuditEntry;
import gateway.service.AuditLog;
import gateway.service.DependencyException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Administrative writes as NDJSON in `audit.ndjson`, each on disk before [#append] returns. A file that
/// reaches its size becomes `audit.1.ndjson`, that one `audit.2.ndjson`, and so on; the oldest past `files`
/// goes.
final class FileAuditLog implements AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger(FileAuditLog.class);

    private final Path folder;
    private final long largest;
    private final int files;
    private final ReentrantLock using = new ReentrantLock();

    private FileAuditLog(Path folder, long largest, int files) {
        this.folder = folder;
        this.largest = largest;
        this.files = files;
    }

    /// @param largest bytes of one file
    /// @param files how many files are kept
    /// @throws DataFolderException when the last file cannot be read
    static FileAuditLog open(Path folder, long largest, int files) {
        try {
            var log = new FileAuditLog(folder, largest, files);
            log.cutHalfLine();
            log.tellForeignLineEnds();
            return log;
        } catch (IOException e) {
            throw new DataFolderException("cannot open " + folder.resolve("audit.ndjson"), e);
        }
    }

    @Override
    public void append(AuditEntry entry) {
        byte[] line = (AuditJson.write(entry) + "\n").getBytes(StandardCharsets.UTF_8);
        using.lock();
        try {
            if (Files.exists(file(0)) && Files.size(file(0)) + line.length > largest) rotate();
            DurableFiles.createFile(file(0));
            write(line);
        } catch (IOException e) {
            throw new DependencyException("data folder", "cannot write " + file(0) + " (" + e + ")", e);
        } finally {
            using.unlock();
        }
    }

    @Override
    public List<AuditEntry> latest(int offset, int limit) {
        var found = new ArrayList<AuditEntry>();
        int left = offset;
        using.lock();
        try {
            for (int i = 0; i < files && found.size() < limit && Files.exists(file(i)); i++) {
                left = read(file(i), left, limit, found);
            }
            return List.copyOf(found);
        } catch (IOException e) {
            throw new DependencyException("data folder", "cannot read " + folder + "/audit*.ndjson (" + e + ")", e);
        } finally {
            using.unlock();
        }
    }

    private static int read(Path file, int skip, int limit, List<AuditEntry> found) throws IOException {
        int left = skip;
        try (var lines = LinesFromEnd.of(file, Files.size(file))) {
            while (found.size() < limit) {
                Optional<String> line = lines.next();
                if (line.isEmpty()) return left;
                if (left > 0) left--;
                else found.add(AuditJson.read(line.get()));
            }
        }
        return left;
    }

    private void write(byte[] line) throws IOException {
        try (var output = new RandomAccessFile(file(0).toFile(), "rw")) {
            long end = output.length();
            try {
                output.seek(end);
                output.write(line);
                output.getFD().sync();
            } catch (IOException e) {
                output.setLength(end);
                throw e;
            }
        }
    }

    private void rotate() throws IOException {
        for (int i = files - 2; i >= 0; i--) {
            if (Files.exists(file(i))) Files.move(file(i), file(i + 1), StandardCopyOption.REPLACE_EXISTING);
        }
        DurableFiles.syncFolder(folder);
    }

    private void cutHalfLine() throws IOException {
        if (!Files.exists(file(0)) || !Files.isWritable(file(0))) return;
        try (var output = new RandomAccessFile(file(0).toFile(), "rw")) {
            long end = output.length();
            while (end > 0) {
                output.seek(end - 1);
                if (output.read() == '\n') break;
                end--;
            }
            if (end < output.length()) UnfinishedAppend.cut(file(0), output, end);
        }
    }

    /// Entries are read all the same, and no checksum tells who else may have written. Whoever changes line ends
    /// changes them all, so the first one tells.
    private void tellForeignLineEnds() throws IOException {
        if (!Files.isReadable(file(0))) return;
        try (var lines = Files.newBufferedReader(file(0), StandardCharsets.ISO_8859_1)) {
            int before = 0;
            int each = lines.read();
            while (each >= 0 && each != '\n') {
                before = each;
                each = lines.read();
            }
            if (each < 0 || before != '\r') return;
            LOG.warn(
                    "{} has line ends of Windows (CR LF), so somebody else has written it since; its entries are "
                            + "read. Afterwards: sed -i 's/\\r$//' {}",
                    file(0),
                    file(0));
        }
    }

    private Path file(int age) {
        return folder.resolve(age == 0 ? "audit.ndjson" : "audit." + age + ".ndjson");
    }
}
