package gateway.app.commands;

import gateway.app.settings.StartException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// A gateway in a process of its own, so that its CPU time is told apart from the load generator's.
final class ChildGateway implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int POLL_MILLIS = 50;
    private static final int FIRST_PORT = 20_000;
    private static final int END_OF_PORTS = 32_000;

    private final Process process;
    private final Path output;
    private final int dataPort;
    private final int adminPort;

    private ChildGateway(Process process, Path output, int dataPort, int adminPort) {
        this.process = process;
        this.output = output;
        this.dataPort = dataPort;
        this.adminPort = adminPort;
    }

    /// Waits until it is ready.
    ///
    /// @param folder for its data and for what it says
    /// @param settings `GATEWAY_*` variables; data folder and addresses are not among them
    /// @throws StartException when it does not become ready, with what it said
    static ChildGateway start(Path folder, Map<String, String> settings, HttpClient client)
            throws IOException, InterruptedException {
        int data = freePort();
        int admin = freePort();
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--add-opens=java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "gateway.app.commands.Main", "run"));
        Path output = folder.resolve("output");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("GATEWAY_"));
        environment.put("GATEWAY_SHUTDOWN_DELAY", "0s"); // nobody waits to be told
        environment.putAll(settings);
        environment.put("GATEWAY_DATA", folder.resolve("data").toString());
        environment.put("GATEWAY_LISTEN", "127.0.0.1:" + data);
        environment.put("GATEWAY_ADMIN_LISTEN", "127.0.0.1:" + admin);
        var gateway = new ChildGateway(builder.start(), output, data, admin);
        try {
            gateway.awaitReady(client);
            return gateway;
        } catch (StartException | IOException | InterruptedException e) {
            gateway.close();
            throw e;
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), dataPort);
    }

    int adminPort() {
        return adminPort;
    }

    /// CPU time that the process has used so far, all its threads together.
    Duration cpu() {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new StartException("this system does not tell the CPU time of a process"));
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReady(HttpClient client) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/health/ready"))
                .timeout(PATIENCE)
                .build();
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!isReady(client, request)) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() - until > 0) {
                throw new StartException("the gateway to be measured does not start:\n" + Files.readString(output));
            }
        }
    }

    private static boolean isReady(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }

    /// Below those that Linux gives to outgoing connections, 32768 and up: none takes it before the gateway does.
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
            try (var taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return taken.getLocalPort();
            } catch (BindException e) {
                // somebody listens there
            }
        }
    }
}
