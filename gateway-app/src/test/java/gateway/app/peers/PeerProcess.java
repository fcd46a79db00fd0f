package gateway.app.peers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server program that somebody else wrote. One that is not installed skips the test.
final class PeerProcess implements Peer {
    private static final Pattern TOLD_PORT = Pattern.compile("^port (\\d+)$", Pattern.MULTILINE);
    private static final int PATIENCE = 3_000; // times ten milliseconds

    private final Process process;
    private final Path log;
    private final int port;

    /// @param port 0: not known yet
    private PeerProcess(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /// Where `name` lies on `PATH`; skips the test when it does not.
    static String installed(String name) {
        Optional<Path> found = Arrays.stream(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), name + " is not installed");
        return found.orElseThrow().toString();
    }

    /// Starts it in `folder`, where it also leaves what it says.
    static PeerProcess start(Path folder, String... command) {
        try {
            Path log = folder.resolve("log");
            var builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment().put("HOME", folder.toString());
            return new PeerProcess(builder.start(), log, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Once somebody listens there.
    PeerProcess listeningOn(int port) {
        for (int i = 0; i < PATIENCE && process.isAlive(); i++) {
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return new PeerProcess(process, log, port);
            } catch (IOException e) {
                pause();
            }
        }
        throw new IllegalStateException("nobody listens on " + port + ": " + said());
    }

    /// Once it says on which port it listens.
    PeerProcess listeningAsTold() {
        for (int i = 0; i < PATIENCE && process.isAlive(); i++) {
            Matcher told = TOLD_PORT.matcher(said());
            if (told.find()) return new PeerProcess(process, log, Integer.parseInt(told.group(1)));
            pause();
        }
        throw new IllegalStateException("no port was told: " + said());
    }

    private static void pause() {
        LockSupport.parkNanos(10_000_000);
    }

    /// As `host:port`.
    String place() {
        return "127.0.0.1:" + port;
    }

    String url() {
        return "http://" + place();
    }

    long pid() {
        return process.pid();
    }

    String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Asks it to end itself and what it started.
    void terminate() {
        process.toHandle().destroy();
        awaitEnd();
    }

    /// Ends it and what it started, as a crash would. First itself: nginx starts new workers for those that it loses.
    @Override
    public void close() {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
