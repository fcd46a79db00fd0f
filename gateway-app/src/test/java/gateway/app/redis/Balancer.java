package gateway.app.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// An HAProxy in front of gateways, which it asks for their readiness five times a second. It sends no request twice.
final class Balancer implements AutoCloseable {
    private final Process process;
    private final int port;
    private final Path log;

    private Balancer(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /// Where a gateway listens.
    record Node(int port, int adminPort) {
        static Node free() {
            return new Node(FreePort.take(), FreePort.take());
        }

        private String name() {
            return "node" + port;
        }

        private String line() {
            return "  server " + name() + " 127.0.0.1:" + port + " port " + adminPort + "\n";
        }
    }

    /// Skips the test where there is no HAProxy.
    static Balancer start(Path folder, List<Node> nodes) throws IOException {
        Optional<Path> haproxy = executable();
        assumeTrue(haproxy.isPresent(), "haproxy is not on the PATH");
        int port = FreePort.take();
        var text = new StringBuilder("""
            global
              maxconn 2000
            defaults
              mode http
              retries 0
              timeout connect 5s
              timeout client 60s
              timeout server 60s
              timeout check 5s
            frontend clients
              bind 127.0.0.1:%d
              default_backend gateways
            backend gateways
              balance roundrobin
              option httpchk GET /health/ready
              default-server check inter 200ms fall 1 rise 2
            """.formatted(port));
        for (Node node : nodes) text.append(node.line());
        Path log = folder.resolve("haproxy.log");
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), text);
        Process process = new ProcessBuilder(haproxy.get().toString(), "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Balancer(process, port, log);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// Whether it has seen `node` come back after it was down.
    boolean sawUp(Node node) {
        try {
            return Files.readString(log).contains("/" + node.name() + " is UP");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> executable() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "haproxy"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
