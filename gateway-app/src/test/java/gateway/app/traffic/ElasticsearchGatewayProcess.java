package gateway.app.traffic;

import static gateway.Eventually.until;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The product: the jar in a JVM of its own, with one API at `/load` and the traffic log on.
final class ElasticsearchGatewayProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready: data plane \\S+:(\\d+), admin plane \\S+:(\\d+),");
    private static final String ON_A_SMALL_DISK =
            "mount -t tmpfs -o size=\"$1\" spill \"$2\" && shift 2 && exec \"$@\"";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final Path data;
    private final Path output;
    private final int port;
    private final int adminPort;

    private ElasticsearchGatewayProcess(Process process, Path data, Path output, Matcher ready) {
        this.process = process;
        this.data = data;
        this.output = output;
        this.port = Integer.parseInt(ready.group(1));
        this.adminPort = Integer.parseInt(ready.group(2));
    }

    /// @param data its folder; one that a killed gateway has left is taken over
    static ElasticsearchGatewayProcess start(Path data, KeepAliveUpstream upstream, Map<String, String> settings)
            throws IOException {
        return start(List.of(), data, upstream, settings);
    }

    /// Starts it where the spill folder is a file system of its own of that size.
    ///
    /// @param size as `mount` wants it, such as `2m`
    static ElasticsearchGatewayProcess startOnSmallDisk(
            String size, Path data, KeepAliveUpstream upstream, Map<String, String> settings) throws IOException {
        Path spill = Files.createDirectories(data.resolve("spill"));
        List<String> command = new ArrayList<>(ownMounts());
        command.addAll(List.of("sh", "-c", ON_A_SMALL_DISK, "gateway", size, spill.toString()));
        return start(command, data, upstream, settings);
    }

    /// Why no file system can be mounted here; empty when one can.
    static String problemOfSmallDisk(Path folder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(ownMounts());
        command.addAll(List.of("sh", "-c", ON_A_SMALL_DISK, "probe", "1m", folder.toString(), "true"));
        Process probe = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(probe.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        return probe.waitFor() == 0 ? "" : "no tmpfs in a user namespace: " + said.strip();
    }

    int port() {
        return port;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /// What `/metrics` says.
    TrafficCounts counts() {
        String metrics = admin("/metrics");
        return new TrafficCounts(
                fate("accepted", metrics),
                fate("recovered", metrics),
                fate("indexed", metrics),
                value("gateway_traffic_spilled", metrics),
                fate("replayed", metrics),
                fate("rejected", metrics),
                fate("dropped", metrics),
                value("gateway_traffic_under_way", metrics),
                value("gateway_traffic_spill_bytes", metrics));
    }

    /// Waits until every one of so many records is indexed, rejected or dropped, and nothing is on disk.
    TrafficCounts awaitSettled(long accepted) {
        until(() -> isSettled(counts(), accepted), () -> counts() + " for " + accepted + " requests");
        return counts();
    }

    private static boolean isSettled(TrafficCounts counts, long accepted) {
        return counts.accepted() == accepted && counts.spilled() == 0 && counts.underWay() == 0 && counts.isBalanced();
    }

    String ready() {
        return admin("/health/ready");
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    Path deadLetters() {
        return data.resolve("spill/dead-letters.ndjson");
    }

    /// As `kill -9` does.
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /// Asks it to end.
    ///
    /// @return its exit status
    int stop() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    /// Ends it, in order if that takes no longer than it should.
    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 30, TimeUnit.SECONDS).join();
        process.destroyForcibly();
        http.close();
    }

    private static ElasticsearchGatewayProcess start(
            List<String> wrapper, Path data, KeepAliveUpstream upstream, Map<String, String> settings)
            throws IOException {
        Path apis = Files.createDirectories(data.resolve("apis"));
        Files.writeString(apis.resolve("load.json"), """
                {"id": "load", "name": "Load", "match": {"path": "/load"},
                "upstream": {"targets": [{"url": "%s"}]}}""".formatted(upstream.url()));
        Path output = Files.createTempFile(data, "output", ".log");
        List<String> command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-jar"));
        command.add(System.getProperty("gateway.jar", "target/gateway-app.jar"));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment()
                .putAll(Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_NODE", "node-1",
                        "GATEWAY_SHUTDOWN_DELAY", "0s",
                        "GATEWAY_TRUSTED_PROXIES", "127.0.0.0/8",
                        "GATEWAY_TRAFFIC_LOG", "elasticsearch"));
        builder.environment().putAll(settings);
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroyForcibly));
        try {
            return new ElasticsearchGatewayProcess(process, data, output, awaitReady(process, output));
        } catch (IOException | AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static Matcher awaitReady(Process process, Path output) throws IOException {
        until(() -> !process.isAlive() || READY.matcher(read(output)).find(), () -> read(output));
        Matcher ready = READY.matcher(read(output));
        if (!ready.find()) throw new IOException("the gateway ended: " + read(output));
        return ready;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private String admin(String path) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + path))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long fate(String fate, String metrics) {
        return value("gateway_traffic_records_total{fate=\"" + fate + "\"}", metrics);
    }

    private static long value(String series, String metrics) {
        return metrics.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(series + " does not stand in " + metrics));
    }

    private static List<String> ownMounts() {
        return List.of("unshare", "--user", "--map-root-user", "--mount", "--");
    }
}
