package gateway.app.bench;

import gateway.app.StartException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A gateway in a process of its own, so that its CPU time is told apart from the load generator's.
final class ChildGateway implements AutoCloseable {
    private static final Pattern READY =
            Pattern.compile("ready: data plane 127\\.0\\.0\\.1:(\\d+), admin plane 127\\.0\\.0\\.1:(\\d+),");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Process process;
    private final int dataPort;
    private final int adminPort;

    private ChildGateway(Process process, int dataPort, int adminPort) {
        this.process = process;
        this.dataPort = dataPort;
        this.adminPort = adminPort;
    }

    /// Waits until it is ready.
    ///
    /// @param settings `GATEWAY_*` variables; where it listens is not among them
    /// @throws StartException when the process ends before it is ready, with what it said
    static ChildGateway start(Map<String, String> settings) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--add-opens=java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "gateway.app.Main", "run"));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GATEWAY_"));
        builder.environment().putAll(settings);
        builder.environment().put("GATEWAY_LISTEN", "127.0.0.1:0");
        builder.environment().put("GATEWAY_ADMIN_LISTEN", "127.0.0.1:0");
        return ready(builder.start());
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

    private static ChildGateway ready(Process process) throws IOException {
        var said = new StringBuilder();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                Thread.ofPlatform().daemon().name("bench-output").start(() -> readAway(output));
                return new ChildGateway(process, Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)));
            }
            said.append('\n').append(line);
        }
        throw new StartException("the gateway to be measured does not start:" + said);
    }

    private static void readAway(BufferedReader output) {
        try (output) {
            output.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
