package gateway.app.commands;

import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Requests of several kinds to several APIs, so that dashboards have something to show: most are served, some are
/// refused for their key or their pace, some meet a service that is down.
final class DemoTraffic {
    private static final long SEED = 25; // the same kinds in the same order each time
    private static final List<String> ITEMS = List.of("lamp", "chair", "table", "shelf", "mirror");
    private static final String KEY =
            "{\"name\": \"shop\", \"tags\": [\"gold\"], \"apis\": {\"catalogue\": {}, \"payments\": {}, \"orders\": {}}}";

    private final HttpClient client;
    private final String data;
    private final String admin;
    private final String token;
    private final Random random = new Random(SEED);

    /// @param data address of the data plane
    /// @param admin address of the admin plane
    DemoTraffic(HttpClient client, String data, String admin, String token) {
        this.client = client;
        this.data = data;
        this.admin = admin;
        this.token = token;
    }

    /// Makes two APIs and a key, then sends `count` requests one after the other.
    ///
    /// @param upstreamPort of a service on this machine
    /// @return how many answers had which status
    Map<Integer, Integer> send(int count, int upstreamPort) {
        define(api("catalogue", upstreamPort));
        define(api("payments", 1)); // nothing listens there
        String secret = Json.parse(admin("/keys", KEY)).path("secret").asString("");
        var statuses = new TreeMap<Integer, Integer>();
        for (int i = 0; i < count; i++) statuses.merge(status(next(secret)), 1, Integer::sum);
        return statuses;
    }

    private HttpRequest next(String secret) {
        String item = ITEMS.get(random.nextInt(ITEMS.size()));
        return switch (random.nextInt(20)) {
            case 0 -> request("/catalogue/" + item, "nobody-has-this");
            case 1 -> request("/nowhere/" + item, secret);
            case 2 -> request("/payments/" + random.nextInt(100), secret);
            case 3, 4 -> request("/orders/" + random.nextInt(100), secret);
            default -> request("/catalogue/" + item, secret);
        };
    }

    private HttpRequest request(String path, String secret) {
        return HttpRequest.newBuilder(URI.create(data + path))
                .header("Authorization", "Bearer " + secret)
                .header("User-Agent", random.nextBoolean() ? "shop/1.4" : "shop-mobile/2.0")
                .build();
    }

    private int status(HttpRequest request) {
        return send(request).statusCode();
    }

    private void define(String definition) {
        admin("/apis", definition);
    }

    private String admin(String path, String body) {
        var request = HttpRequest.newBuilder(URI.create(admin + "/admin/v1" + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var response = send(request);
        if (response.statusCode() != 201) throw new IllegalStateException(path + ": " + response.body());
        return response.body();
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(request.uri() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String api(String id, int port) {
        return """
            {"id": "%s", "name": "%s", "match": {"path": "/%s"},
              "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
              "policies": [{"type": "key-auth"}]}""".formatted(id, id, id, port);
    }
}
