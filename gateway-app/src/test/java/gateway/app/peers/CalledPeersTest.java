package gateway.app.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.DefinedGateway;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A policy `api-call` that asks servers of other makers.
@Timeout(120)
final class CalledPeersTest {
    private static final String SERVICE = """
            require("http").createServer((request, response) => {
              let body = "";
              request.on("data", part => body += part).on("end", () => response.end(JSON.stringify({
                method: request.method, url: request.url, sent: JSON.parse(body || "null")})));
            }).listen(0, "127.0.0.1", function () { console.log("port " + this.address().port); });
            """;

    @TempDir
    private Path folder;

    @Test
    void nginx_and_node_are_asked_at_once_and_answer_as_they_do() throws Exception {
        try (var peers = new Peers(folder);
                var client = HttpClient.newHttpClient()) {
            Nginx nginx = peers.add(Nginx.start(peers.folder(), """
                    server {
                        listen 127.0.0.1:{port};
                        gzip on; gzip_min_length 1; gzip_types application/json;
                        default_type application/json;
                        location / { return 200 '{"by": "nginx", "uri": "$request_uri"}'; }
                    }
                    """));
            PeerProcess node = peers.add(node(peers.folder()));
            try (var gateway =
                    DefinedGateway.start(folder.resolve("data"), """
                    {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "%s"}]}, "policies": [
                      {"type": "api-call", "timeout": "30s", "calls": [
                        {"url": "%s/users/{request.query.user}", "headers": {"Accept-Encoding": "gzip"},
                         "take": {"var.by": "/by", "var.uri": "/uri"}},
                        {"url": "%s/u?user={request.query.user}", "method": "POST",
                         "body": {"json": {"user": "{request.query.user}"}},
                         "take": {"var.url": "/url", "var.user": "/sent/user"}}]},
                      {"type": "headers", "response": {"set": {
                         "X-Said": "{var.by} {var.uri} {var.url} {var.user}"}}}]}""".formatted(node.url(), nginx.url(), node.url()))) {
                URI uri = gateway.uri("/?user=%40evil%2F%23%22x");
                var answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());

                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.headers().firstValue("X-Said"))
                        .contains("nginx /users/%40evil%2F%23%22x /u?user=%40evil%2F%23%22x @evil/#\"x");

                nginx.kill();
                assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(503);
            }
        }
    }

    private static PeerProcess node(Path folder) throws IOException {
        String program = PeerProcess.installed("node");
        Path file = Files.write(folder.resolve("service.js"), SERVICE.getBytes(UTF_8));
        return PeerProcess.start(folder, program, file.toString()).listeningAsTold();
    }
}
