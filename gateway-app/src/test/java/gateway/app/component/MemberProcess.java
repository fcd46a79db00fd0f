package gateway.app.component;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import gateway.app.ProcessSignal;
import gateway.app.ResidentMemory;
import gateway.app.commands.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A member of the cache component in a JVM of its own, which others call by way of a relay and at a loopback address
/// of its own, so that a relay can tell who calls.
final class MemberProcess implements AutoCloseable {
    private static final List<String> SMALL = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final byte[] NOTHING = new byte[0];

    private final Process process;
    private final InetSocketAddress address;
    private final InetSocketAddress admin;
    private final MemberPlace place;
    private final HttpClient client = HttpClient.newHttpClient();

    /// Where a member stands.
    ///
    /// @param host of its own
    /// @param port that it listens on for members
    /// @param relayed port at which they call
    record MemberPlace(String host, int port, int relayed) {
        static MemberPlace of(int number) {
            return new MemberPlace("127.0.0." + (10 + number), FreePort.take(), FreePort.take());
        }

        InetSocketAddress relay() throws IOException {
            return new InetSocketAddress(InetAddress.getByName(host), relayed);
        }

        InetSocketAddress own() throws IOException {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        }

        @Override
        public String toString() {
            return host + ':' + relayed;
        }
    }

    private MemberProcess(Process process, int port, int adminPort, MemberPlace place) {
        this.process = process;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.admin = new InetSocketAddress(InetAddress.getLoopbackAddress(), adminPort);
        this.place = place;
    }

    static MemberProcess start(Path data, MemberPlace place, String members) throws IOException {
        return start(data, place, members, SMALL);
    }

    /// @param options of its JVM
    static MemberProcess start(Path data, MemberPlace place, String members, List<String> options) throws IOException {
        Files.createDirectories(data);
        int port = FreePort.take();
        int adminPort = FreePort.take();
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dhazelcast.local.localAddress=" + place.host(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "cache"));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GATEWAY_"));
        Map<String, String> settings = OwnComponent.settings(data, place.port(), members);
        settings.putAll(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:" + port,
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:" + adminPort,
                "GATEWAY_CACHE_MEMBER_LISTEN", place.host() + ':' + place.port(),
                "GATEWAY_CACHE_MEMBER_ADDRESS", place.toString()));
        builder.environment().putAll(settings);
        return new MemberProcess(builder.start(), port, adminPort, place);
    }

    MemberPlace place() {
        return place;
    }

    InetSocketAddress address() {
        return address;
    }

    /// Waits until it is ready and sees so many members.
    void awaitMembers(int count) {
        until(() -> isReady() && members() == count, () -> "not " + count + " members at " + place);
    }

    private boolean isReady() {
        try {
            return OwnComponent.send(client, admin, "GET", "/health/ready", NOTHING)
                            .statusCode()
                    == 200;
        } catch (UncheckedIOException e) {
            if (!process.isAlive()) throw e;
            return false;
        }
    }

    private long members() {
        return meter("gateway_component_members");
    }

    /// What it tells of `name`; 0 where it tells nothing.
    long meter(String name) {
        var metrics = new String(
                OwnComponent.send(client, admin, "GET", "/metrics", NOTHING).body(), StandardCharsets.UTF_8);
        Matcher found =
                Pattern.compile("^" + name + " (\\S+)$", Pattern.MULTILINE).matcher(metrics);
        return found.find() ? (long) Double.parseDouble(found.group(1)) : 0;
    }

    /// Bytes of memory that the process has, as the kernel counts them.
    long resident() throws IOException {
        return ResidentMemory.of(process.pid());
    }

    /// @return the status; 0 where there was no answer
    int put(String path, String text, String... fields) {
        return put(path, text.getBytes(StandardCharsets.UTF_8), fields);
    }

    /// @return the status; 0 where there was no answer
    int put(String path, byte[] content, String... fields) {
        try {
            return OwnComponent.send(client, address, "PUT", path, content, fields)
                    .statusCode();
        } catch (UncheckedIOException e) {
            return 0;
        }
    }

    HttpResponse<byte[]> send(String method, String path, String... fields) {
        return OwnComponent.send(client, address, method, path, NOTHING, fields);
    }

    /// What is kept there; its status in words where nothing is.
    String get(String path) {
        HttpResponse<byte[]> answer = send("GET", path);
        return answer.statusCode() == 200
                ? new String(answer.body(), StandardCharsets.UTF_8)
                : "status " + answer.statusCode();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /// Stops it as an operator does.
    ///
    /// @return its exit code
    int terminate() throws InterruptedException {
        process.toHandle().destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    void freeze() {
        ProcessSignal.send("STOP", process.pid());
    }

    void thaw() {
        ProcessSignal.send("CONT", process.pid());
    }

    @Override
    public void close() {
        client.shutdownNow();
        process.destroyForcibly();
    }
}
