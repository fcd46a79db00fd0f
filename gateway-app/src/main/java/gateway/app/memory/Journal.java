package gateway.app.memory;

import gateway.service.DependencyException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file of checksummed lines that is only appended to. What [#append] returned from survives a crash; a line half
/// written when one came is cut off at the next start and kept beside the file. Not for several threads at once.
final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private final Path path;
    private final Opening opening;
    private final boolean writable;
    private @Nullable RandomAccessFile file; // null: opened by the next write, if anything can be written here
    private long length;
    private boolean unended; // the last line lacks its line feed
    private boolean sound = true;

    /// How the file is opened to be written to.
    @FunctionalInterface
    interface Opening {
        RandomAccessFile open(Path path) throws IOException;

        /// Whether the file may be written to, or made where there is none.
        default boolean isAllowed(Path path) {
            return Files.isWritable(Files.exists(path) ? path : DurableFiles.parent(path));
        }
    }

    private Journal(Path path, Opening opening, boolean writable, JournalReader.Whole whole) {
        this.path = path;
        this.opening = opening;
        this.writable = writable;
        this.length = whole.length();
        this.unended = whole.unended();
    }

    /// Reads what is there and opens the file for more; where the folder cannot be written to, for reading alone.
    ///
    /// @throws DataFolderException when the file is damaged
    static Journal open(Path path, JournalReader.Lines lines) {
        return open(path, lines, file -> new RandomAccessFile(file.toFile(), "rw"));
    }

    static Journal open(Path path, JournalReader.Lines lines, Opening opening) {
        try {
            var whole = Files.exists(path) ? JournalReader.read(path, lines) : JournalReader.Whole.NOTHING;
            boolean writable = opening.isAllowed(path);
            var journal = new Journal(path, opening, writable, whole);
            if (writable) {
                journal.openToWrite();
            } else {
                journal.tellUnread();
                journal.tellUnwritable();
            }
            return journal;
        } catch (IOException e) {
            throw new DataFolderException("cannot open " + path, e);
        }
    }

    /// Writes the line that an empty journal begins with, so that one emptied since can be told from one that had
    /// nothing to hold.
    void begin(String line) {
        if (!writable || length > 0) return;
        try {
            append(line);
        } catch (DependencyException e) {
            LOG.warn("{} stays empty until something is written to it: {}", path, e.getMessage());
        }
    }

    /// Adds a line and waits until it is on disk.
    ///
    /// @return where it begins, for [#read]
    /// @throws DependencyException when it cannot be written; nothing is then
    long append(String line) {
        return append(List.of(line));
    }

    /// Adds all of `lines` or none, with one wait for the disk.
    long append(List<String> lines) {
        var bytes = new ByteArrayOutputStream();
        for (String line : lines) bytes.writeBytes(JournalLine.encode(line));
        return write(bytes.toByteArray(), true);
    }

    /// Adds a line that may be lost in a crash of the machine, though not of the process.
    void note(String line) {
        write(JournalLine.encode(line), false);
    }

    /// The line that begins at `offset`.
    String read(long offset) {
        try (var bytes = JournalBytes.open(path)) {
            Optional<String> line = bytes.line(offset, bytes.lineFeed(offset));
            return line.orElseThrow(
                    () -> new DependencyException("data folder", path + " is damaged at byte " + offset));
        } catch (IOException e) {
            throw new DependencyException("data folder", "cannot read " + path + " (" + e + ")", e);
        }
    }

    /// Puts `lines` in the place of all there are, atomically. When the new file cannot be opened, the next write tries
    /// again.
    ///
    /// @throws DependencyException when that fails; the old ones stay
    void rewrite(List<String> lines) {
        var bytes = new ByteArrayOutputStream();
        for (String line : lines) bytes.writeBytes(JournalLine.encode(line));
        if (!writable) throw new DependencyException("data folder", unwritable());
        RandomAccessFile old;
        try {
            old = output();
            DurableFiles.replace(DurableFiles.stage(path, bytes.toByteArray()), path);
            file = null; // the old file has lost its name: whatever fails now, nothing may be added to it
            length = bytes.size();
            sound = true;
        } catch (IOException e) {
            throw new DependencyException("data folder", "cannot write " + path + " (" + e + ")", e);
        }
        reopen(old);
    }

    private void reopen(RandomAccessFile old) {
        try {
            old.close();
            openToWrite();
        } catch (IOException e) {
            LOG.warn("{} is written anew and cannot be opened; the next write tries again: {}", path, e.toString());
        }
    }

    /// Whether lines can be added.
    boolean writable() {
        return writable;
    }

    @Override
    public void close() throws IOException {
        if (file != null) file.close();
    }

    private long write(byte[] bytes, boolean sync) {
        if (!writable) throw new DependencyException("data folder", unwritable());
        try {
            var output = output();
            if (!sound) cut(output);
            long begin = length;
            sound = false;
            output.seek(begin);
            output.write(bytes);
            if (sync) output.getFD().sync();
            sound = true;
            length = begin + bytes.length;
            return begin;
        } catch (IOException e) {
            repair();
            throw new DependencyException("data folder", "cannot write " + path + " (" + e + ")", e);
        }
    }

    private void repair() {
        try {
            cut(output());
        } catch (IOException e) {
            LOG.warn("{} keeps a line half written until it can be cut off: {}", path, e.toString());
        }
    }

    private void cut(RandomAccessFile output) throws IOException {
        output.setLength(length);
        output.getFD().sync();
        sound = true;
    }

    private RandomAccessFile output() throws IOException {
        return file == null ? openToWrite() : file;
    }

    /// Nothing is added before the file's name is durable.
    private RandomAccessFile openToWrite() throws IOException {
        DurableFiles.createFile(path);
        DurableFiles.syncFolder(DurableFiles.parent(path));
        var opened = opening.open(path);
        try {
            if (unended) endLastLine(opened);
            else if (opened.length() > length) UnfinishedAppend.cut(path, opened, length);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        file = opened;
        return opened;
    }

    private void endLastLine(RandomAccessFile output) throws IOException {
        LOG.warn("{}: the last line lacks its line feed; as its checksum shows that it is whole, it is kept", path);
        output.seek(length);
        output.write('\n');
        output.getFD().sync();
        length++;
        unended = false;
    }

    /// A folder that is read-only altogether is meant to be; of a file in another one nobody would know before the
    /// first write.
    private void tellUnwritable() {
        if (Files.isWritable(DurableFiles.parent(path))) LOG.warn("{}", unwritable());
    }

    private String unwritable() {
        return path + " cannot be written to, so what it keeps can be read and not changed: let the user that the "
                + "gateway runs as write to it (chown, chmod u+w) and to its folder, then start again";
    }

    private void tellUnread() throws IOException {
        long unread = Files.exists(path) ? Files.size(path) - length : 0;
        if (unread > 0) LOG.warn("{}: the last {} bytes, an append that was under way, are not read", path, unread);
    }
}
