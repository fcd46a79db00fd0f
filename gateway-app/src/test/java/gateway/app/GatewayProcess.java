package gateway.app;

import gateway.app.commands.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The whole program in a JVM of its own, and what it says.
public final class GatewayProcess implements AutoCloseable {
    private static final Pattern READY =
            Pattern.compile("ready: data plane ([\\d.]+):(\\d+), admin plane ([\\d.]+):(\\d+)");
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Path data;
    private final List<String> lines = new ArrayList<>();
    private InetSocketAddress address = new InetSocketAddress(0);
    private InetSocketAddress adminAddress = new InetSocketAddress(0);

    private GatewayProcess(Process process, Path data) {
        this.process = process;
        this.data = data;
    }

    /// Starts it and waits until it is ready.
    ///
    /// @param settings `GATEWAY_*` variables; ports are the system's choice unless given
    public static GatewayProcess start(Path data, Map<String, String> settings, String... flags) throws IOException {
        return launch(data, settings, flags).ready();
    }

    /// Waits until it is ready.
    public GatewayProcess ready() {
        takeAddresses(awaitLine("ready: data plane"));
        return this;
    }

    /// Starts it, though it may end instead of becoming ready.
    public static GatewayProcess launch(Path data, Map<String, String> settings, String... flags) throws IOException {
        var program = new ArrayList<>(List.of(flags));
        program.addAll(List.of("-cp", classPath(), Main.class.getName()));
        return launch(data, settings, program);
    }

    /// The same of another build of it.
    public static GatewayProcess launch(Path jar, Path data, Map<String, String> settings) throws IOException {
        return launch(data, settings, List.of("-jar", jar.toString(), "run"));
    }

    private static GatewayProcess launch(Path data, Map<String, String> settings, List<String> program)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--add-opens=java.base/java.lang=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
        command.add("-XX:+UseSerialGC");
        command.addAll(program);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GATEWAY_"));
        builder.environment()
                .putAll(Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString()));
        builder.environment().putAll(settings);
        var gateway = new GatewayProcess(builder.start(), data);
        gateway.readAll();
        return gateway;
    }

    /// The program's own: tests log less.
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("test-classes") && !entry.endsWith("-tests.jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    public InetSocketAddress address() {
        return address;
    }

    public URI admin(String path) {
        return URI.create("http:/" + adminAddress + path);
    }

    /// The admin token that it made.
    public String token() throws IOException {
        return Files.readString(data.resolve("admin-token")).strip();
    }

    /// Sends SIGTERM, which leaves its output open.
    public void terminate() {
        process.toHandle().destroy();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// Waits for its end.
    ///
    /// @return the exit code
    public int exitCode() throws InterruptedException, TimeoutException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) throw new TimeoutException("it runs on: " + lines());
        return process.exitValue();
    }

    /// What it has said so far.
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /// Waits until it says a line that contains `text`.
    public String awaitLine(String text) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        synchronized (lines) {
            while (true) {
                for (String line : lines) if (line.contains(text)) return line;
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || lines.contains("<end>")) throw new AssertionError("no \"" + text + "\" in " + lines);
                try {
                    lines.wait(left);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private void readAll() {
        Thread.ofVirtual().start(() -> {
            try (BufferedReader output = process.inputReader()) {
                for (String line = output.readLine(); line != null; line = output.readLine()) add(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                add("<end>");
            }
        });
    }

    private void add(String line) {
        synchronized (lines) {
            lines.add(line);
            lines.notifyAll();
        }
    }

    private void takeAddresses(String line) {
        Matcher ready = READY.matcher(line);
        if (!ready.find()) throw new AssertionError(line);
        address = new InetSocketAddress(ready.group(1), Integer.parseInt(ready.group(2)));
        adminAddress = new InetSocketAddress(ready.group(3), Integer.parseInt(ready.group(4)));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
