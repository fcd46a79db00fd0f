package gateway.app.proxy;

import gateway.app.proxy.OneRoute.WithBodies;
import gateway.app.steering.Upstreams;
import gateway.http.Response;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.memory.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A data plane in a JVM of its own, whose policy holds each body, as far as 8 MiB, and answers with its
/// length. For each line it is sent it tells how many bytes its bodies take.
final class HoldingProxy implements AutoCloseable {
    private static final int IO_THREADS = 2;

    private final Process process;
    private final BufferedReader output;
    private final InetSocketAddress address;

    private HoldingProxy(Process process) throws IOException {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), (int) told("port"));
    }

    public static void main(String[] arguments) throws Exception {
        Policy answering = exchange -> Verdict.answer(Response.of(
                200,
                "text/plain",
                (exchange.held().orElseThrow().plain().length + " bytes").getBytes(StandardCharsets.UTF_8)));
        var settings = DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withLeastRates(LeastRates.of(0, 0)) // clients wait for each other, however slow the machine is
                .withIoThreads(IO_THREADS);
        var api = OneRoute.api("/", false, OneRoute.to("http://127.0.0.1:1"));
        var use = BodyUse.ofRequests(BodyAccess.plain(8 << 20));
        var dataPlane = new DataPlane(
                settings, OneRoute.live(api, new Upstreams()::upstreamFor, new WithBodies(use, answering)));
        System.out.println("port " + dataPlane.address().getPort());
        var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (asked.readLine() != null)
            System.out.println("held " + dataPlane.memory().of(Kind.BODIES).taken());
    }

    static HoldingProxy start(String... flags) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--add-opens=java.base/java.lang=ALL-UNNAMED", "-XX:+UseSerialGC"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), HoldingProxy.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new HoldingProxy(process);
    }

    RawConnection client() throws IOException {
        return RawConnection.to(address);
    }

    /// Bytes that its bodies take, but for what its IO threads keep in advance.
    long held() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return Math.max(0, told("held") - IO_THREADS * 64L * 1024);
    }

    /// What it says next of this; what it logs stands between.
    private long told(String what) throws IOException {
        while (true) {
            String line = output.readLine();
            if (line == null) throw new IOException("the proxy has ended");
            if (line.startsWith(what + " ")) return Long.parseLong(line.substring(what.length() + 1));
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
