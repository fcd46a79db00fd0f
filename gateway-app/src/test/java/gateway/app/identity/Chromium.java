package gateway.app.identity;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.Eventually;
import gateway.app.FreePort;
import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A real browser without a window, driven by WebDriver (W3C): `chromium` with `chromedriver`. A test without them is
/// skipped and says so.
final class Chromium implements AutoCloseable {
    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf"; // as the protocol names it

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process driver;
    private final String session;

    private Chromium(Process driver, int port, Path profile) {
        this.driver = driver;
        String base = "http://127.0.0.1:" + port;
        Eventually.until(() -> isReady(base));
        List<String> arguments = Stream.concat(
                        Stream.of(
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync"),
                        Stream.of("--user-data-dir=" + profile))
                .toList();
        JsonNode made = send(
                "POST",
                base + "/session",
                Json.mapper()
                        .writeValueAsString(Map.of(
                                "capabilities",
                                Map.of("alwaysMatch", Map.of("goog:chromeOptions", Map.of("args", arguments))))));
        this.session = base + "/session/" + made.get("sessionId").stringValue();
    }

    /// @param profile a folder that is not there yet
    static Chromium start(Path profile) {
        int port = FreePort.take();
        try {
            Process driver = new ProcessBuilder("chromedriver", "--port=" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new Chromium(driver, port, profile);
        } catch (IOException e) {
            assumeTrue(false, "chromium cannot be had: " + e.getMessage());
            throw new UncheckedIOException(e);
        }
    }

    private boolean isReady(String base) {
        try {
            return send("GET", base + "/status", "").get("ready").booleanValue();
        } catch (UncheckedIOException e) {
            return false; // nobody listens yet
        }
    }

    void open(String place) {
        post("/url", Map.of("url", place));
    }

    /// Where it is.
    String place() {
        return send("GET", session + "/url", "").stringValue();
    }

    /// What stands on the page.
    String text() {
        return run("return document.body ? document.body.innerText : ''").stringValue();
    }

    void type(String css, String text) {
        post("/element/" + element(css) + "/value", Map.of("text", text));
    }

    void click(String css) {
        post("/element/" + element(css) + "/click", Map.of());
    }

    private String element(String css) {
        return post("/element", Map.of("using", "css selector", "value", css))
                .get(ELEMENT)
                .stringValue();
    }

    /// What a script of the page answers.
    JsonNode run(String script) {
        return post("/execute/sync", Map.of("script", script, "args", List.of()));
    }

    private JsonNode post(String path, Map<String, ?> body) {
        return send("POST", session + path, Json.mapper().writeValueAsString(body));
    }

    /// The cookies that the page's host is shown, by the names that the protocol gives their fields.
    JsonNode cookies() {
        return send("GET", session + "/cookie", "");
    }

    private JsonNode send(String method, String url, String body) {
        var content = body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        var request = HttpRequest.newBuilder(URI.create(url)).method(method, content);
        try {
            String answer =
                    client.send(request.build(), BodyHandlers.ofString()).body();
            JsonNode value = Json.parse(answer).get("value");
            if (value.has("error")) throw new IllegalStateException(value.toString());
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            send("DELETE", session, ""); // which ends the browser too
        } finally {
            driver.destroyForcibly();
            client.close();
        }
    }
}
