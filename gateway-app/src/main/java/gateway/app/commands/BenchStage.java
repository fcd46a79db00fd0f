package gateway.app.commands;

import gateway.app.settings.StartException;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;

/// What is measured: a gateway in a process of its own, and, unless there is a real one, a service behind it.
final class BenchStage implements AutoCloseable {
    private static final String SERVICE = """
        {"id": "service", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]},
         "policies": [{"type": "mock-response", "json": {"items": ["a", "b", "c"]}}]}""";

    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();
    private final String token = token();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /// Starts a service that answers everything by itself: a second gateway.
    ///
    /// @return its URL
    String startService() throws IOException, InterruptedException {
        ChildGateway service = start(Map.of());
        create(service, "apis", SERVICE);
        return "http://127.0.0.1:" + service.address().getPort();
    }

    ChildGateway startGateway(Subject subject, Map<String, String> settings) throws IOException, InterruptedException {
        ChildGateway gateway = start(settings);
        create(gateway, "apis", Json.compact(subject.source()));
        return gateway;
    }

    /// A key for the subject, if it asks for one.
    Optional<String> secret(ChildGateway gateway, Subject subject) throws IOException, InterruptedException {
        if (!subject.asksForKey()) return Optional.empty();
        String issued = create(gateway, "keys", subject.key());
        return Optional.of(Json.parse(issued).get("secret").asString());
    }

    FixedRate load(InetSocketAddress address, int connections, LoadRequest request) throws IOException {
        FixedRate load = FixedRate.over(connections, address, request);
        open.push(load);
        return load;
    }

    /// Ends what was started, last first, all of it even when one does not end well; a second call finds nothing left.
    @Override
    public void close() {
        AutoCloseable next = open.poll();
        if (next == null) {
            client.close();
            return;
        }
        try {
            closeOne(next);
        } finally {
            close();
        }
    }

    private ChildGateway start(Map<String, String> settings) throws IOException, InterruptedException {
        TemporaryFolder folder = TemporaryFolder.create();
        open.push(folder);
        var all = new HashMap<>(settings);
        all.put("GATEWAY_ADMIN_TOKEN", token);
        ChildGateway gateway = ChildGateway.start(folder.path(), all, client);
        open.push(gateway);
        return gateway;
    }

    private String create(ChildGateway gateway, String kind, String json) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.adminPort() + "/admin/v1/" + kind))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30))
                .POST(BodyPublishers.ofString(json));
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() == 201) return response.body();
        throw new StartException("POST " + kind + " is answered " + response.statusCode() + ": " + response.body());
    }

    private static String token() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static void closeOne(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            throw new IllegalStateException(each + " does not close", e);
        }
    }
}
