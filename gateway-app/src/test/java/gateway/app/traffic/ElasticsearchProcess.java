package gateway.app.traffic;

import static gateway.Eventually.until;

import gateway.app.ProcessSignal;
import gateway.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A real Elasticsearch, unpacked by the build, run as a process of its own with security on.
final class ElasticsearchProcess implements AutoCloseable {
    static final String USER = "elastic";
    static final String PASSWORD = "traffic-it-password";
    private static final String ENDS_WITH_ITS_PIPE =
            "exec 3<&0; \"$@\" </dev/null & p=$!; (cat <&3 >/dev/null; kill -TERM $p 2>/dev/null) & wait $p";

    private final HttpClient http;
    private final Path home;
    private final Path work;
    private final String scheme;
    private Process process;
    private URI uri;

    private ElasticsearchProcess(Path work, String scheme, HttpClient http) {
        this.home = home().toAbsolutePath();
        this.work = work;
        this.scheme = scheme;
        this.http = http;
    }

    /// Where the build has unpacked it.
    static Path home() {
        return Path.of(System.getProperty("elasticsearch.home", "target/es-dist/elasticsearch-9.5.3"));
    }

    static ElasticsearchProcess start(Path work) throws IOException, InterruptedException {
        var server = new ElasticsearchProcess(work, "http", HttpClient.newHttpClient());
        server.configure("");
        server.run();
        return server;
    }

    /// One that speaks TLS.
    ///
    /// @param certificate PEM file, signed by itself
    /// @param key its private key
    static ElasticsearchProcess start(Path work, Path certificate, Path key) throws IOException, InterruptedException {
        HttpClient trusting = HttpClient.newBuilder()
                .sslContext(Authorities.trusting(certificate))
                .build();
        var server = new ElasticsearchProcess(work, "https", trusting);
        server.configure("""
                xpack.security.http.ssl.enabled: true
                xpack.security.http.ssl.certificate: it.crt
                xpack.security.http.ssl.key: it.key
                """);
        Files.copy(certificate, work.resolve("config/it.crt"));
        Files.copy(key, work.resolve("config/it.key"));
        server.users();
        server.run();
        return server;
    }

    /// Starts it again on the same data.
    ///
    /// @param settings such as `indexing_pressure.memory.limit=200kb`
    void run(String... settings) throws IOException, InterruptedException {
        Files.deleteIfExists(work.resolve("logs/http.ports"));
        List<String> command = new ArrayList<>(List.of("sh", "-c", ENDS_WITH_ITS_PIPE, "elasticsearch"));
        command.addAll(asOrdinaryUser());
        command.add(home.resolve("bin/elasticsearch").toString());
        for (String setting : settings) command.add("-E" + setting);
        process = builder(command).start();
        Path ports = work.resolve("logs/http.ports");
        until(() -> Files.exists(ports) || !process.isAlive(), () -> "starting");
        if (!process.isAlive()) throw new IOException(Files.readString(work.resolve("out")));
        uri = URI.create(scheme + "://" + Files.readAllLines(ports).getFirst());
        until(() -> answers("/_cluster/health?wait_for_status=yellow&timeout=1s"), () -> "not healthy");
    }

    URI uri() {
        return uri;
    }

    JsonNode get(String path) throws IOException {
        return Json.parse(call("GET", path, "").body());
    }

    /// Whether it can be told the retention of a data stream that exists: the distribution for integration tests
    /// cannot.
    boolean hasLifecycleApi() throws IOException {
        return get("/_nodes/plugins?filter_path=nodes.*.modules.name")
                .toString()
                .contains("\"data-streams\"");
    }

    /// Whether `user`, whose password is the usual one, has an index privilege.
    boolean hasPrivilege(String user, String index, String privilege) throws IOException {
        String question = "{\"index\": [{\"names\": [\"%s\"], \"privileges\": [\"%s\"]}]}".formatted(index, privilege);
        return Json.parse(call(user, "POST", "/_security/user/_has_privileges", question)
                        .body())
                .path("has_all_requested")
                .asBoolean();
    }

    JsonNode post(String path, String body) throws IOException {
        return Json.parse(call("POST", path, body).body());
    }

    JsonNode put(String path, String body) throws IOException {
        return Json.parse(call("PUT", path, body).body());
    }

    /// Requests since its start that it has answered 429 for want of memory.
    long rejectedByPressure() throws IOException {
        JsonNode stats = get("/_nodes/stats/indexing_pressure").path("nodes");
        long rejected = 0;
        for (JsonNode node : stats) {
            JsonNode total = node.at("/indexing_pressure/memory/total");
            rejected += total.path("coordinating_rejections").asLong(0)
                    + total.path("primary_rejections").asLong(0);
        }
        return rejected;
    }

    /// Stops it in order, as for maintenance.
    void stop() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroy);
        process.waitFor();
    }

    /// Ends it as `kill -9` does.
    void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }

    /// Freezes it: the kernel still takes connections and bytes for it, and nobody answers.
    void pause() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        ProcessSignal.send(
                name, process.descendants().mapToLong(ProcessHandle::pid).toArray());
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        until(() -> !process.isAlive(), () -> "stopping");
    }

    private boolean answers(String path) {
        try {
            return call("GET", path, "").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private HttpResponse<String> call(String method, String path, String body) throws IOException {
        return call(USER, method, path, body);
    }

    private HttpResponse<String> call(String user, String method, String path, String body) throws IOException {
        String login = Base64.getEncoder().encodeToString((user + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        var request = HttpRequest.newBuilder(uri.resolve(path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .header("Authorization", "Basic " + login)
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /// @param more lines of configuration
    private void configure(String more) throws IOException, InterruptedException {
        for (String folder : List.of("config", "data", "logs", "tmp")) Files.createDirectories(work.resolve(folder));
        copy(home.resolve("config"), work.resolve("config"));
        Files.writeString(work.resolve("config/elasticsearch.yml"), """
                cluster.name: it
                node.name: it-1
                discovery.type: single-node
                network.host: 127.0.0.1
                http.port: 0
                transport.port: 0
                node.portsfile: true
                path.data: %1$s/data
                path.logs: %1$s/logs
                xpack.security.enabled: true
                cluster.routing.allocation.disk.threshold_enabled: false
                """.formatted(work) + more);
        tool("", "elasticsearch-keystore", "create");
        tool(PASSWORD + "\n", "elasticsearch-keystore", "add", "--stdin", "bootstrap.password");
    }

    /// The user `shipper` with the rights that the documents ask for, `keeper` with those but for the retention of
    /// a stream that exists, and `writer`, who may not install templates. From files: this build of Elasticsearch
    /// lacks a module that its own store of users needs.
    private void users() throws IOException, InterruptedException {
        Files.writeString(work.resolve("config/roles.yml"), """
                shipper:
                  cluster: [manage_index_templates]
                  indices:
                    - names: ["logs-gateway.traffic-*"]
                      privileges: [create_doc, auto_configure, create_index, manage_data_stream_lifecycle]
                keeper:
                  cluster: [manage_index_templates]
                  indices:
                    - names: ["logs-gateway.traffic-*"]
                      privileges: [create_doc, auto_configure, create_index]
                writer:
                  indices:
                    - names: ["logs-gateway.traffic-*"]
                      privileges: [create_doc, auto_configure, create_index]
                """);
        for (String name : List.of("shipper", "keeper", "writer")) {
            tool("", "elasticsearch-users", "useradd", name, "-p", PASSWORD, "-r", name);
        }
    }

    /// One of its tools, to its end.
    private void tool(String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asOrdinaryUser());
        command.add(home.resolve("bin").resolve(arguments[0]).toString());
        command.addAll(List.of(arguments).subList(1, arguments.length));
        Process tool = builder(command).start();
        try (var stream = tool.getOutputStream()) {
            stream.write(input.getBytes(StandardCharsets.UTF_8));
        }
        if (tool.waitFor() != 0) throw new IOException(Files.readString(work.resolve("out")));
    }

    /// It refuses to run as root.
    private static List<String> asOrdinaryUser() {
        return System.getProperty("user.name").equals("root")
                ? List.of("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")
                : List.of();
    }

    private ProcessBuilder builder(List<String> command) {
        var builder = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(work.resolve("out").toFile()));
        builder.environment()
                .putAll(
                        Map.of(
                                "ES_JAVA_HOME", System.getProperty("java.home"),
                                "ES_PATH_CONF", work.resolve("config").toString(),
                                "ES_TMPDIR", work.resolve("tmp").toString(),
                                "HOME", work.toString(),
                                "ES_JAVA_OPTS",
                                        "-Xms512m -Xmx512m -XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC -XX:-AlwaysPreTouch"));
        return builder;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) Files.createDirectories(target);
                else Files.copy(file, target);
            }
        }
    }
}
