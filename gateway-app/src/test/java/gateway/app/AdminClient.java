package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;

/// An operator of one gateway.
public record AdminClient(HttpClient client, URI base, String token) implements AutoCloseable {
    /// @param base such as `http://127.0.0.1:9090`
    public static AdminClient of(URI base, String token) {
        return new AdminClient(
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), base, token);
    }

    /// The answer's content; any other status than 2xx fails.
    public JsonNode call(String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(method, "/admin/v1" + path, body);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return Json.parse(answer.body());
    }

    /// A new key for `apis`; its secret.
    public String issue(String id, String api) throws IOException, InterruptedException {
        return call("POST", "/keys", "{\"id\": \"%s\", \"apis\": {\"%s\": {}}}".formatted(id, api))
                .get("secret")
                .stringValue();
    }

    public void delete(String path) throws IOException, InterruptedException {
        assertThat(send("DELETE", "/admin/v1" + path, "").statusCode()).isEqualTo(204);
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, "");
    }

    public HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(base.resolve(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
