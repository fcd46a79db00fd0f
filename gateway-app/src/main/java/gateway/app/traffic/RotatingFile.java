package gateway.app.traffic;

import gateway.app.file.OwnerOnly;
import gateway.app.file.ProcessLock;
import gateway.app.traffic.TrafficTarget.Fsync;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;

/// A file of lines. Past its size it becomes number 1, the former number 1 becomes number 2 and so on; the last one
/// goes. A line that an earlier run left unfinished is cut off. A file that somebody has moved away or removed is begun
/// anew, and the rotated ones stay. Belongs to one process, which a lock beside it ensures: two would write over each
/// other's lines.
final class RotatingFile implements LineOutput {
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();
    private static final int TAIL = 1 << 16;
    private static final Set<StandardOpenOption> OPTIONS =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

    private final TrafficTarget.File target;
    private final ProcessLock lock;
    private FileChannel channel;
    private long size;
    private boolean unforced;
    private long forcedNanos;

    private RotatingFile(TrafficTarget.File target, ProcessLock lock, FileChannel channel) throws IOException {
        this.target = target;
        this.lock = lock;
        this.channel = channel;
        this.size = wholeLines(channel);
        channel.truncate(size);
    }

    /// @throws UncheckedIOException when the file cannot be written or another gateway writes it
    static RotatingFile open(TrafficTarget.File target) {
        try {
            OwnerOnly.createFolders(folder(target.file()));
            return locked(target, ProcessLock.take(hidden(target.file(), ".lock")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the traffic log " + target.file() + ": " + e.getMessage(), e);
        }
    }

    private static RotatingFile locked(TrafficTarget.File target, ProcessLock lock) throws IOException {
        try {
            return new RotatingFile(target, lock, channel(target.file()));
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    @Override
    public void write(byte[] lines, int length, long nowNanos) throws IOException {
        if (Files.notExists(target.file())) goOnIn(channel(target.file()));
        else if (size > 0 && size + length > target.maxBytes()) rotate();
        ByteBuffer left = ByteBuffer.wrap(lines, 0, length);
        long at = size;
        try {
            while (left.hasRemaining()) at += channel.write(left, at);
        } catch (IOException e) {
            channel.truncate(size);
            throw e;
        }
        size = at;
        unforced = true;
        if (target.fsync() == Fsync.ALWAYS) force(nowNanos);
    }

    @Override
    public void turn(long nowNanos) throws IOException {
        if (unforced && target.fsync() == Fsync.INTERVAL && nowNanos - forcedNanos >= INTERVAL) force(nowNanos);
    }

    @Override
    public void close() throws IOException {
        try (lock;
                var last = channel) {
            if (target.fsync() != Fsync.NEVER) last.force(false);
        }
    }

    private void force(long nowNanos) throws IOException {
        channel.force(false);
        unforced = false;
        forcedNanos = nowNanos;
    }

    /// The next file is open before anything is moved: when that fails, all is as it was, and the next batch tries
    /// again.
    private void rotate() throws IOException {
        Path place = hidden(target.file(), ".new");
        if (Quarantine.isTaken(place) && !Quarantine.isRegular(place))
            throw new IOException(place + " is no regular file");
        FileChannel next = channel(place);
        try {
            next.truncate(0);
            if (target.keep() > 0) shift();
            Files.move(place, target.file(), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            next.close();
            throw e;
        }
        goOnIn(next);
    }

    /// Makes the current file number 1. Numbers move up as far as to the first that is free, so that only a full house
    /// costs the last one.
    private void shift() throws IOException {
        int free = 1;
        while (free < target.keep() && Quarantine.isRegular(numbered(free))) free++;
        Quarantine.makeRoom(numbered(free));
        for (int i = free - 1; i >= 1; i--) {
            Files.move(numbered(i), numbered(i + 1), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(target.file(), numbered(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private void goOnIn(FileChannel next) throws IOException {
        FileChannel former = channel;
        channel = next;
        size = 0;
        try (former) {
            if (unforced && target.fsync() != Fsync.NEVER) former.force(false);
        }
    }

    private Path numbered(int number) {
        return target.file().resolveSibling(target.file().getFileName() + "." + number);
    }

    private static FileChannel channel(Path file) throws IOException {
        OwnerOnly.createFolders(folder(file));
        if (Files.exists(file) && !Files.isRegularFile(file)) throw new IOException(file + " is no regular file");
        return OwnerOnly.open(file, OPTIONS);
    }

    private static Path folder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) throw new IOException(file + " is no file");
        return folder;
    }

    private static Path hidden(Path file, String ending) {
        return file.resolveSibling("." + file.getFileName() + ending);
    }

    /// Where the last whole line ends.
    private static long wholeLines(FileChannel file) throws IOException {
        long end = file.size();
        while (end > 0) {
            long start = Math.max(0, end - TAIL);
            ByteBuffer tail = ByteBuffer.allocate((int) (end - start));
            while (tail.hasRemaining() && file.read(tail, start + tail.position()) >= 0) {}
            for (int i = tail.position() - 1; i >= 0; i--) {
                if (tail.get(i) == '\n') return start + i + 1;
            }
            end = start;
        }
        return 0;
    }
}
