package gateway.app.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A [BareProxy] in a JVM of its own, in front of a [RawUpstream] of this one.
final class ForkedProxy implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("listening on .*:(\\d+), request threads: (\\w+)");

    private final Process process;
    private final RawUpstream upstream;
    private final int port;

    private ForkedProxy(Process process, RawUpstream upstream, int port) {
        this.process = process;
        this.upstream = upstream;
        this.port = port;
    }

    static ForkedProxy start(String mode, String... flags) throws IOException {
        RawUpstream upstream = new RawUpstream();
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--add-opens=java.base/java.lang=ALL-UNNAMED", "-XX:+UseSerialGC"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BareProxy.class.getName()));
        command.addAll(List.of("0", upstream.url(), "1", mode, "http2"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new ForkedProxy(process, upstream, port(process, mode));
    }

    private static int port(Process process, String mode) throws IOException {
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher ready = READY.matcher(line);
            if (!ready.matches()) continue;
            if (!ready.group(2).equals(mode)) throw new AssertionError(line);
            return Integer.parseInt(ready.group(1));
        }
        throw new AssertionError("the forked gateway ended before it listened");
    }

    RawUpstream upstream() {
        return upstream;
    }

    RawConnection client() throws IOException {
        return RawConnection.to(address());
    }

    /// Takes HTTP/1 and HTTP/2.
    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        upstream.close();
    }
}
