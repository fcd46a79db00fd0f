package gateway.app.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// `echo.js` or `echo.go`: a server that shows every way of answering.
final class PeerEchoServer {
    private static final String PATIENT = "60000";

    private PeerEchoServer() {}

    static PeerProcess node(Path folder) {
        return node(folder, PATIENT);
    }

    /// @param idle milliseconds that it keeps a connection which nothing comes over
    static PeerProcess node(Path folder, String idle) {
        String node = PeerProcess.installed("node");
        return PeerProcess.start(folder, node, unpack(folder, "echo.js").toString(), idle)
                .listeningAsTold();
    }

    static PeerProcess go(Path folder) {
        return go(folder, PATIENT);
    }

    static PeerProcess go(Path folder, String idle) {
        String go = PeerProcess.installed("go");
        Path program = folder.resolve("echo");
        build(
                folder,
                go,
                "build",
                "-o",
                program.toString(),
                unpack(folder, "echo.go").toString());
        return PeerProcess.start(folder, program.toString(), idle).listeningAsTold();
    }

    private static void build(Path folder, String... command) {
        try {
            Path log = folder.resolve("build.log");
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0)
                throw new IllegalStateException(Files.readString(log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path unpack(Path folder, String name) {
        Path file = folder.resolve(name);
        try (InputStream source = PeerEchoServer.class.getResourceAsStream("/peers/" + name)) {
            Files.copy(Objects.requireNonNull(source), file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
