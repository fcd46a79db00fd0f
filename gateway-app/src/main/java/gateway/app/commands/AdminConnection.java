package gateway.app.commands;

import gateway.app.Settings;
import gateway.app.admin.AdminTokenFile;
import gateway.app.settings.StartException;
import gateway.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// The admin API of the gateway with these settings, as commands call it.
final class AdminConnection {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Settings settings;

    AdminConnection(Settings settings) {
        this.settings = settings;
    }

    /// @throws StartException when there is no gateway, or it answers something else than 200
    JsonNode get(String path) throws InterruptedException {
        return send(path, HttpRequest.newBuilder().GET());
    }

    /// @param body JSON; empty text: none
    /// @throws StartException as above
    JsonNode post(String path, String body) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder().POST(BodyPublishers.ofString(body));
        if (!body.isEmpty()) request.header("Content-Type", "application/json");
        return send(path, request);
    }

    private JsonNode send(String path, HttpRequest.Builder request) throws InterruptedException {
        String host = settings.adminListen().host();
        String asked = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        var uri = URI.create("http://" + (asked.contains(":") ? "[" + asked + "]" : asked) + ":"
                + settings.adminListen().port() + "/admin/v1" + path);
        try (var client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            var answer = client.send(
                    request.uri(uri)
                            .timeout(TIMEOUT)
                            .header("Authorization", "Bearer " + token())
                            .build(),
                    BodyHandlers.ofString());
            JsonNode content = Json.parse(answer.body());
            if (answer.statusCode() == 200) return content;
            throw new StartException(uri + " answers " + answer.statusCode() + ": "
                    + content.path("detail").asString(""));
        } catch (IOException e) {
            throw new StartException("no gateway answers at " + uri + " (" + e + ")");
        }
    }

    private String token() throws IOException {
        if (settings.adminToken().isPresent())
            return settings.adminToken().get().reveal();
        return Files.readString(AdminTokenFile.in(settings.data())).strip();
    }
}
