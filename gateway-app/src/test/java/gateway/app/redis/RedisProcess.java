package gateway.app.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A real `redis-server` on a free port of loopback.
public final class RedisProcess implements AutoCloseable {
    private static final int CLUSTER_BUS = 10_000; // the port at which nodes speak to each other is higher by so many

    private final Path folder;
    private final List<String> command;
    private final int port;
    private Process process;

    private RedisProcess(Path folder, List<String> command, int port) throws IOException {
        this.folder = folder;
        this.command = command;
        this.port = port;
        this.process = launch();
    }

    public static RedisProcess start(String... options) {
        return startOn(FreePort.take(), options);
    }

    /// A node of a cluster that has no other nodes yet.
    static RedisProcess clusterNode() {
        return startOn(FreePort.takeWith(CLUSTER_BUS), "--cluster-enabled", "yes", "--cluster-node-timeout", "1000");
    }

    /// Starts one with `options` after those that every test wants.
    static RedisProcess startOn(int port, String... options) {
        var command = new ArrayList<String>(List.of(RedisExecutable.path()));
        command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--loglevel", "warning"));
        command.addAll(List.of(options));
        return started(command, port);
    }

    /// A Sentinel that watches `master` under the name `main`, alone in its quorum, quick to find it down.
    static RedisProcess sentinel(RedisProcess master) {
        int port = FreePort.take();
        try {
            Path file = Files.createTempFile("sentinel", ".conf");
            Files.writeString(file, """
                    port %d
                    bind 127.0.0.1
                    sentinel monitor main 127.0.0.1 %d 1
                    sentinel down-after-milliseconds main 500
                    sentinel failover-timeout main 2000
                    """.formatted(port, master.port()));
            return started(List.of(RedisExecutable.path(), file.toString(), "--sentinel"), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One that listens for TLS alone, with the certificate and key in `folder`, and knows one user by an
    /// ACL file.
    static RedisProcess secured(Path folder, Path acl) {
        int port = FreePort.take();
        var command = List.of(
                RedisExecutable.path(),
                "--port",
                "0",
                "--tls-port",
                "" + port,
                "--bind",
                "127.0.0.1",
                "--tls-cert-file",
                folder.resolve("cert.pem").toString(),
                "--tls-key-file",
                folder.resolve("key.pem").toString(),
                "--tls-auth-clients",
                "no",
                "--aclfile",
                acl.toString());
        try {
            return started(command, port);
        } catch (IllegalStateException e) {
            assumeTrue(!e.getMessage().contains("tls"), "this redis-server was built without TLS: " + e.getMessage());
            throw e;
        }
    }

    int port() {
        return port;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    long pid() {
        return process.pid();
    }

    /// Ends it as a crash would.
    void kill() {
        process.destroyForcibly();
        await();
    }

    /// Starts it again after [#kill], empty.
    void restart() {
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitPort();
    }

    /// Sends `words` as one command and answers the reply as text.
    public String cli(String... words) {
        return RedisCommands.send(port, words);
    }

    @Override
    public void close() {
        kill();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RedisProcess started(List<String> command, int port) {
        try {
            var redis = new RedisProcess(Files.createTempDirectory("redis"), command, port);
            redis.awaitPort();
            return redis;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private void await() {
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitPort() {
        for (int i = 0; i < 1_000; i++) {
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(10_000_000);
            }
        }
        throw new IllegalStateException("redis-server did not listen on " + port + ": " + logged());
    }

    private String logged() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
